package dev.neurontest.benchmark;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** The number and size of the files that a JVM leaves in the folder of all shards. */
final class ShardFiles {

    private ShardFiles() {}

    static void measure(Path folder, Results results) throws IOException {
        note(Cases.FewOneCore.class, "failure", "tests that pass", folder, results);
        note(Cases.FewOneCore.class, "always", "tests that pass, evidence always", folder, results);
        note(Cases.FewFailing.class, "failure", "tests that fail", folder, results);
        note(Cases.FewFailing.class, "never", "tests that fail, evidence never", folder, results);
    }

    private static void note(Class<?> tests, String evidence, String what, Path folder, Results results)
            throws IOException {
        Path output;
        try (TestRuns runs = new TestRuns(tests, "fake:" + BenchmarkFolders.LARGE, evidence, folder)) {
            runs.execute();
            output = runs.output();
        }
        Left left = new Left();
        Files.walkFileTree(output, left);
        results.note("a JVM with %d %s leaves %,d files (%,d run files) and %,d folders, %,d bytes (run files %,d)"
                .formatted(
                        Cases.FEW_TESTS, what, left.files, left.runFiles, left.folders, left.bytes, left.bytesOfRuns));
    }

    private static final class Left extends SimpleFileVisitor<Path> {

        private long files;
        private long runFiles;
        private long folders;
        private long bytes;
        private long bytesOfRuns;

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            folders++;
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            boolean run = file.toString().endsWith(".jsonl");
            files++;
            runFiles += run ? 1 : 0;
            bytes += attributes.size();
            bytesOfRuns += run ? attributes.size() : 0;
            return FileVisitResult.CONTINUE;
        }
    }
}
