package dev.neurontest.internal.cluster.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RootAddressTest {

    private static final List<String> ADDRESSES = List.of("10.0.0.7", "192.168.1.7");

    private static String choose(String given, String own, Map<String, String> names) throws IOException {
        return RootAddress.choose(given, Optional.of(own), addresses(ADDRESSES), name -> {
            if (!names.containsKey(name)) {
                throw new UnknownHostException(name);
            }
            return addresses(List.of(names.get(name))).toArray(InetAddress[]::new);
        });
    }

    private static List<InetAddress> addresses(List<String> texts) {
        return texts.stream().map(RootAddressTest::address).toList();
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Test
    void isGivenNameThatResolvesToThisHost() throws IOException {
        assertThat(choose("node1", "ip-10-0-0-7", Map.of("node1", "192.168.1.7", "ip-10-0-0-7", "10.0.0.7")))
                .isEqualTo("node1");
    }

    @Test
    void isOwnNameIfGivenNameIsOfAnotherHost() throws IOException {
        assertThat(choose("alias", "ip-10-0-0-7", Map.of("alias", "10.0.0.99", "ip-10-0-0-7", "10.0.0.7")))
                .isEqualTo("ip-10-0-0-7");
    }

    @Test
    void isFirstAddressIfNamesResolveToLoopback() throws IOException {
        assertThat(choose("node1", "node1", Map.of("node1", "127.0.1.1"))).isEqualTo("10.0.0.7");
    }

    @Test
    void isFirstAddressIfNamesAreUnknown() throws IOException {
        assertThat(choose("node1", "", Map.of())).isEqualTo("10.0.0.7");
    }

    @Test
    void isAddressInsteadOfNameThatRuntimeDoesNotResolve() throws IOException {
        String longest = "n".repeat(63);
        String tooLong = "n".repeat(64);

        assertThat(choose(longest, "", Map.of(longest, "10.0.0.7"))).isEqualTo(longest);
        assertThat(choose(tooLong, "", Map.of(tooLong, "10.0.0.7"))).isEqualTo("10.0.0.7");
    }

    @Test
    void refusesHostWithoutAddressForOthers() {
        assertThatIOException()
                .isThrownBy(() -> RootAddress.choose("node1", Optional.empty(), List.of(), InetAddress::getAllByName))
                .withMessageContaining("no address besides loopback ones");
    }

    /** Verifies the addresses of this machine, if it has one for others. */
    @Test
    void isNoLoopbackAddressOfThisMachine() throws IOException {
        String address;
        try {
            address = RootAddress.ofThisHost("localhost");
        } catch (IOException none) {
            assumeTrue(false, none.getMessage());
            return;
        }

        assertThat(InetAddress.getByName(address).isLoopbackAddress()).isFalse();
        assertThat(NetworkInterface.getByInetAddress(InetAddress.getByName(address)))
                .isNotNull();
    }

    @Test
    void isEqualNetworkWithinThisProcess() {
        assertThat(RootAddress.network()).contains("net:[").isEqualTo(RootAddress.network());
    }
}
