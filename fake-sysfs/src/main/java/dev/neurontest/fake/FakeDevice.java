package dev.neurontest.fake;

import dev.neurontest.fake.internal.driver.Core;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.EccRegister;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apiguardian.api.API;

/** A device of the fake host: one {@code neuronN} directory. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeDevice {

    private final FakeNeuronHost host;
    private final Device state;
    private final List<FakeCore> cores;

    FakeDevice(FakeNeuronHost host, Device state) {
        this.host = host;
        this.state = state;
        List<FakeCore> ofState = new ArrayList<>();
        for (Core core : state.cores()) {
            ofState.add(new FakeCore(this, core));
        }
        this.cores = List.copyOf(ofState);
    }

    FakeNeuronHost host() {
        return host;
    }

    Device state() {
        return state;
    }

    /**
     * Returns the index of the device.
     *
     * @return an index from 0
     */
    public int index() {
        return state.index();
    }

    /**
     * Returns the physical cores of the device.
     *
     * @return the cores, in order of their index
     */
    public List<FakeCore> cores() {
        return cores;
    }

    /**
     * Returns one of the physical cores of the device.
     *
     * @param index an index from 0
     * @return the core
     * @throws IllegalArgumentException when the device has no such core
     */
    public FakeCore core(int index) {
        if (index < 0 || index >= cores.size()) {
            throw new IllegalArgumentException(this + " has " + cores.size() + " cores and no core " + index);
        }
        return cores.get(index);
    }

    /**
     * Returns the serial number. It is the same in every run for the same instance type and index.
     *
     * @return 16 hexadecimal digits, also on Inf1, which does not show it
     */
    public String serialNumber() {
        return HexFormat.of().toHexDigits(state.serialNumber());
    }

    /**
     * Adds ECC errors to a counter. Files show the low 16 bits.
     *
     * @param counter {@code sram_uncorrected}, {@code mem_uncorrected}, {@code mem_repairable_uncorrected},
     *     {@code sram_corrected} or {@code mem_corrected}
     * @param count the number of errors to add, at least 1
     * @throws IllegalArgumentException when the device or the layout has no such counter, or the count is less than 1
     */
    public void ecc(String counter, long count) {
        EccRegister register = EccRegister.named(counter);
        host.requireFile(state, "stats/hardware/" + register.fileName());
        state.addEcc(register, count);
    }

    /**
     * Sets the power that the device draws from now on. {@code utilization} shows it after the next full minute of the host's clock.
     *
     * @param percent the percentage of its maximum, without the idle background; from 0 to 100, with two decimals
     * @throws IllegalArgumentException when it is not in this range
     */
    public void drawPower(double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException(this + " draws between 0 and 100 percent, not " + percent);
        }
        state.draw((int) Math.round(percent * 100));
    }

    /** Schedules a failure of the next reset: the reset state becomes 2, and {@code reset_fail_count} rises on every core. */
    public void failNextReset() {
        state.failNextReset();
    }

    /**
     * Removes the device from the bus. Its directories disappear, and files that were opened before fail with {@link Errno#ENODEV}. Its
     * counters and processes stay as they are until the device is back. Executing, allocating or freeing on its cores throws
     * {@link IllegalStateException} during that time. Only the end of a process is still counted.
     */
    public void remove() {
        state.remove();
    }

    /** Restores a removed device in its former state. */
    public void restore() {
        state.restore();
    }

    /**
     * Checks whether the device is present.
     *
     * @return false after {@link #remove()}
     */
    public boolean present() {
        return state.present();
    }

    /**
     * Starts a fault on this device.
     *
     * @param fault the fault; its files are relative to the directory of the device
     * @return the fault, which lasts until it is closed
     * @throws IllegalArgumentException when it is not a fault of a device, or it names a counter or file that the device does not have
     */
    public FakeFault fault(Fault fault) {
        return host.inject(fault, host.scope(state));
    }

    /** Returns text such as {@code neuron3}. */
    @Override
    public String toString() {
        return state.toString();
    }
}
