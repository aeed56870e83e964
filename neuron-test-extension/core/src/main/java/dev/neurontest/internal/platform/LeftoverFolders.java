package dev.neurontest.internal.platform;

import dev.neurontest.fake.internal.folder.PrivateFolder;
import dev.neurontest.fake.internal.fuse.FuseMount;
import dev.neurontest.fake.internal.tree.directory.HostPlaces;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.folder.TemporaryFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Folders and mounts of killed JVMs of this user. The next JVM that creates a folder next to them also removes them.
 *
 * @param folders folders of files and of fake hosts
 * @param mounts FUSE mounts
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record LeftoverFolders(List<Path> folders, List<Path> mounts) {

    /** Creates an instance with its own copies. */
    public LeftoverFolders {
        folders = List.copyOf(folders);
        mounts = List.copyOf(mounts);
    }

    /**
     * Finds leftover folders and mounts.
     *
     * @param settings settings, which may contain another folder of fake hosts
     * @param removing true to unmount and to remove them
     * @return the found or removed folders and mounts; without those of fake hosts when the fake is not on the class path
     */
    public static LeftoverFolders find(Settings settings, boolean removing) {
        List<Path> folders = new ArrayList<>(TemporaryFolder.left(removing));
        List<Path> mounts = new ArrayList<>();
        try {
            mounts.addAll(FuseMount.left(removing));
            Stream.concat(HostPlaces.all().stream(), settings.value(Setting.FAKE_FOLDER).stream())
                    .distinct()
                    .forEach(parent -> folders.addAll(PrivateFolder.left(parent, removing)));
        } catch (NoClassDefFoundError withoutFake) {
            // Without the fake there are no leftovers of it.
        }
        return new LeftoverFolders(folders, mounts);
    }
}
