package dev.neurontest.platform;

import dev.neurontest.configuration.Setting;
import dev.neurontest.configuration.Settings;
import dev.neurontest.fake.fuse.FuseMount;
import dev.neurontest.fake.tree.directory.HostPlaces;
import dev.neurontest.fake.tree.directory.PrivateFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Folders and mounts of fake hosts whose JVM was killed. The next fake host of the same user removes them too.
 *
 * @param folders in memory, among temporary files, and where fakes are to be made
 * @param mounts by FUSE
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record FakeLeftovers(List<Path> folders, List<Path> mounts) {

    /**
     * Keeps its own copies.
     *
     * @param folders in memory, among temporary files, and where fakes are to be made
     * @param mounts by FUSE
     */
    public FakeLeftovers {
        folders = List.copyOf(folders);
        mounts = List.copyOf(mounts);
    }

    /**
     * Looks, and changes nothing.
     *
     * @param settings say where else fakes are made
     * @return nothing where the fake is not on the class path
     */
    public static FakeLeftovers find(Settings settings) {
        return ifThereIsAFake(() -> new FakeLeftovers(in(settings, PrivateFolder::left), FuseMount.dead()));
    }

    /**
     * Unmounts, then removes the folders, as far as that can be done.
     *
     * @param settings say where else fakes are made
     * @return what is gone
     */
    public static FakeLeftovers remove(Settings settings) {
        return ifThereIsAFake(() -> {
            List<Path> unmounted = FuseMount.cleanDead();
            return new FakeLeftovers(in(settings, PrivateFolder::removeLeft), unmounted);
        });
    }

    private interface Looking {
        FakeLeftovers look();
    }

    private interface Folder {
        List<Path> left(Path parent) throws IOException;
    }

    private static FakeLeftovers ifThereIsAFake(Looking looking) {
        try {
            return looking.look();
        } catch (NoClassDefFoundError absent) {
            return new FakeLeftovers(List.of(), List.of());
        }
    }

    private static List<Path> in(Settings settings, Folder folder) {
        List<Path> left = new ArrayList<>();
        Stream.concat(HostPlaces.all().stream(), settings.value(Setting.FAKE_FOLDER).stream())
                .distinct()
                .forEach(parent -> {
                    try {
                        left.addAll(folder.left(parent));
                    } catch (IOException absent) {
                        // Then nothing is left there.
                    }
                });
        return left;
    }
}
