package dev.neurontest.internal.cluster.agent;

import dev.neurontest.internal.evidence.Machine;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The choice of the address under which the ranks of all hosts reach the host of rank 0. */
final class RootAddress {

    static final String LOOPBACK = "127.0.0.1";

    /** Longest name that the runtime resolves. */
    private static final int LONGEST_NAME = 63;

    private RootAddress() {}

    /** A resolver of names. */
    @FunctionalInterface
    interface Resolver {

        InetAddress[] resolve(String name) throws UnknownHostException;
    }

    /** Returns a text that is equal for processes with the same loopback interface. Containers of a machine may have different ones. */
    static String network() {
        try {
            return HostAgent.bootId() + " " + Files.readSymbolicLink(Path.of("/proc/self/ns/net"));
        } catch (IOException unreadable) {
            return HostAgent.bootId() + " " + ProcessHandle.current().pid();
        }
    }

    /**
     * Chooses an address of this host for other hosts.
     *
     * @param given the name of this host in the cluster
     * @throws IOException if this host has only loopback addresses
     */
    static String ofThisHost(String given) throws IOException {
        return choose(given, Machine.name(), addresses(), InetAddress::getAllByName);
    }

    private static List<InetAddress> addresses() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                .filter(RootAddress::isUp)
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .sorted(Comparator.comparing(address -> !(address instanceof Inet4Address)))
                .toList();
    }

    private static boolean isUp(NetworkInterface each) {
        try {
            return each.isUp();
        } catch (SocketException unreadable) {
            return false;
        }
    }

    /**
     * Chooses a name of the host that resolves to one of its addresses, or else its first address.
     *
     * @param given the name of the host in the cluster
     * @param own its own name
     * @param addresses its addresses that other hosts may reach
     */
    static String choose(String given, Optional<String> own, Collection<InetAddress> addresses, Resolver resolver)
            throws IOException {
        if (addresses.isEmpty()) {
            throw new IOException(
                    "this host has no address besides loopback ones, so ranks on other hosts cannot reach it");
        }
        return Stream.concat(Stream.of(given), own.stream())
                .filter(name -> name.length() <= LONGEST_NAME && resolves(name, addresses, resolver))
                .findFirst()
                .orElseGet(() -> text(addresses.iterator().next()));
    }

    private static boolean resolves(String name, Collection<InetAddress> addresses, Resolver resolver) {
        try {
            return !name.isBlank()
                    && Arrays.stream(resolver.resolve(name))
                            .findFirst()
                            .filter(addresses::contains)
                            .isPresent();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    /** Returns an address without its interface. */
    private static String text(InetAddress address) {
        return address.getHostAddress().replaceFirst("%.*", "");
    }
}
