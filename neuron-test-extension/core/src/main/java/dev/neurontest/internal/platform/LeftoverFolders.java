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
 * Folders and mounts that killed JVMs of this user have left. The next JVM removes them too, when it makes a folder beside them.
 *
 * @param folders of files, and of fake hosts
 * @param mounts by FUSE
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record LeftoverFolders(List<Path> folders, List<Path> mounts) {

    /**
     * Keeps its own copies.
     *
     * @param folders of files, and of fake hosts
     * @param mounts by FUSE
     */
    public LeftoverFolders {
        folders = List.copyOf(folders);
        mounts = List.copyOf(mounts);
    }

    /**
     * Finds them.
     *
     * @param settings with another folder of fake hosts
     * @param removing true to unmount them and to remove the folders
     * @return what was found, or removed; without fake hosts where the fake is not on the class path
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
            // Then it has left nothing.
        }
        return new LeftoverFolders(folders, mounts);
    }
}
