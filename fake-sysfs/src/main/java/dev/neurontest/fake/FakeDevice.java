package dev.neurontest.fake;

import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.EccRegister;
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
        this.cores =
                state.cores().stream().map(core -> new FakeCore(this, core)).toList();
    }

    FakeNeuronHost host() {
        return host;
    }

    Device state() {
        return state;
    }

    /**
     * Its number.
     *
     * @return from 0
     */
    public int index() {
        return state.index();
    }

    /**
     * Its physical cores.
     *
     * @return in order
     */
    public List<FakeCore> cores() {
        return cores;
    }

    /**
     * One of its physical cores.
     *
     * @param index from 0
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
     * Its serial number: the same in every run for the same instance type and index.
     *
     * @return 16 hexadecimal digits, also on Inf1, which does not show it
     */
    public String serialNumber() {
        return HexFormat.of().toHexDigits(state.serialNumber());
    }

    /**
     * Counts ECC errors. Files show the low 16 bits.
     *
     * @param counter {@code sram_uncorrected}, {@code mem_uncorrected}, {@code mem_repairable_uncorrected},
     *     {@code sram_corrected} or {@code mem_corrected}
     * @param count how many errors are added, at least 1
     * @throws IllegalArgumentException when the device or the layout has no such counter, or the count is less than 1
     */
    public void ecc(String counter, long count) {
        EccRegister register = EccRegister.named(counter);
        host.requireFile(state, "stats/hardware/" + register.fileName());
        state.addEcc(register, count);
    }

    /**
     * Sets what the device draws from now on. {@code utilization} shows it after the next full minute of the host's clock.
     *
     * @param percent of its maximum, idle background removed; 0 to 100, of which two decimals count
     * @throws IllegalArgumentException when it is not between them
     */
    public void drawPower(double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException(this + " draws between 0 and 100 percent, not " + percent);
        }
        state.draw((int) Math.round(percent * 100));
    }

    /** Makes the next reset fail: state 2 and {@code reset_fail_count} on every core. */
    public void failNextReset() {
        state.failNextReset();
    }

    /**
     * Takes the device off the bus: its directories are gone, and what was opened before fails with {@link Errno#ENODEV}. Its
     * counters and processes stay as they are until it is back: to execute, allocate or free on its cores meanwhile throws
     * {@link IllegalStateException}. Only the end of a process counts all the same.
     */
    public void remove() {
        state.remove();
    }

    /** Puts the device back as it was. */
    public void restore() {
        state.restore();
    }

    /**
     * Whether the device is there.
     *
     * @return false after {@link #remove()}
     */
    public boolean present() {
        return state.present();
    }

    /**
     * Lets something go wrong on this device.
     *
     * @param fault what; its files are relative to the device's directory
     * @return the fault, which lasts until it is closed
     * @throws IllegalArgumentException when the fault is not one of a device, or names what the device does not have
     */
    public FakeFault fault(Fault fault) {
        return host.inject(fault, host.scope(state));
    }

    /** Such as {@code neuron3}. */
    @Override
    public String toString() {
        return state.toString();
    }
}
