package dev.neurontest.profile.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.table.TableFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemProfileTest {

    @TempDir
    Path folder;

    private static String page(SystemProfile profile) {
        return new String(profile.attachments().get(0).content(), StandardCharsets.UTF_8);
    }

    @Test
    void isATextWithATimeline() {
        // then
        assertThat(SystemFixture.tenExecutions(folder).toText()).contains("""
                                    events  over 10 µs
                nc0 core 0              10  ##....##....#.....#.....#.....#....##....##....##....#######
                nc0 core 1              10  #.....#.....#.....#.....#.....#....##....##....#.....#......
                process 7 thread 8      10  ==...===...==....==....==....==....==....==....==....==.....
                # nc_exec_running  = nrt_execute

                event            on      count     p50     p99  longest  in all
                nrt_execute      host       10  200 ns  200 ns   200 ns    2 µs
                nc_exec_running  device     10  100 ns  900 ns   900 ns  1.8 µs
                """);
    }

    @Test
    void isAnObjectForPrograms() {
        // then
        assertThat(SystemFixture.tenExecutions(folder).toJson())
                .startsWith("{\"version\":1,\"kind\":\"system-profile\",\"title\":\"resnet50.neff\"")
                .contains(
                        "{\"name\":\"nc_exec_running\",\"place\":\"device\",\"count\":10,\"totalNanos\":1800,\"p50Nanos\":100,\"p99Nanos\":900,\"maxNanos\":900}");
    }

    @Test
    void isAPageWithBarsAxisAndLegend() {
        // when
        String page = page(SystemFixture.tenExecutions(folder));

        // then
        assertThat(page)
                .contains("<title>nc_exec_running, 900 ns from +9.1 µs on</title>")
                .contains(">+10 µs</text>")
                .contains("<span class=\"key event event0\">nc_exec_running</span>")
                .contains("<div>900 ns</div>")
                .doesNotContain("Nothing is decided");
    }

    @Test
    void saysInPageAndTextWhyNothingIsDecided() {
        // when
        SystemProfile profile = SystemFixture.tenExecutions(
                folder, new Doubt(Doubt.Kind.DROPPED_NOTIFICATIONS, "Events were dropped."));

        // then
        assertThat(page(profile)).contains("Nothing is decided by its events", "Events were dropped.");
        assertThat(profile.toText()).contains("In doubt:\n  Events were dropped.");
    }

    /** Names of events come from frameworks, which take them from programs. */
    @Test
    void escapesNames() {
        // given
        TableFixture.write(
                folder,
                "SystemProfileEvents",
                "select '<script>' || chr(27) || '[31m' as name, 1 as start_ts, 9 as duration_ns");
        SystemProfile profile = new SystemProfile(
                "a.neff",
                "neuron-explorer",
                SystemFixture.read(folder),
                List.of(),
                List.of(),
                List.of(),
                folder,
                Optional.empty());

        // then
        assertThat(page(profile)).contains("&lt;script&gt;").doesNotContain("<script>", "\u001b");
    }

    @Test
    void answersQueriesOverItsTables() {
        // then
        assertThat(SystemFixture.tenExecutions(folder)
                        .tables()
                        .query("select count(*) from SystemProfileEvents")
                        .number(0, 0))
                .hasValue(30);
    }
}
