package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Tests of a user of the command: a folder with one compiled class, {@code acme.BertTest}. */
record UserTestsFixture(Path classes) {

    static final String CLASS = "acme.BertTest";

    /** Compiles methods into the class. */
    static UserTestsFixture with(Path folder, String methods) throws IOException {
        Path source = Files.createDirectories(folder.resolve("source")).resolve("BertTest.java");
        Path classes = Files.createDirectories(folder.resolve("classes"));
        Files.writeString(source, """
                package acme;

                import dev.neurontest.*;
                import dev.neurontest.device.*;
                import org.junit.jupiter.api.*;

                @TestMethodOrder(MethodOrderer.MethodName.class)
                class BertTest {
                %s
                }
                """.formatted(methods));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int status = compiler.run(
                null,
                null,
                null,
                List.of(
                                "-proc:none",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                classes.toString(),
                                source.toString())
                        .toArray(String[]::new));
        assertThat(status).as("javac").isZero();
        return new UserTestsFixture(classes);
    }

    @Override
    public String toString() {
        return classes.toString();
    }
}
