package dev.neurontest;

import dev.neurontest.device.NeuronCore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of a project with a separate version of JUnit. */
public final class UserOfJUnitFixture {

    private UserOfJUnitFixture() {}

    public static class WithoutNeuron {
        @Test
        void adds() {}
    }

    @NeuronTest
    public static class AnnotatedClass {
        @Test
        void infersInAnAnnotatedClass(NeuronCore core) {}
    }

    public static class AnnotatedMethod {
        @Test
        void subtracts() {}

        @Test
        @NeuronTest
        void infersInAnAnnotatedMethod(NeuronCore core) {}
    }

    public static class Template {
        @ForEachCore
        void infersOnEachCore(NeuronCore core) {}
    }

    @ForEachCore
    public static class TemplateOfAClass {
        @Test
        void infersInEachRunOfTheClass(NeuronCore core) {}
    }

    public static class RegisteredByAField {
        @RegisterExtension
        static NeuronExtension neuron = NeuronExtension.builder().build();

        @Test
        void infersWithAField(NeuronCore core) {}
    }

    public static class Failing {
        @Test
        void fails() {
            throw new AssertionError();
        }
    }

    public static class OutOfMemory {
        @Test
        void fills() {
            throw new OutOfMemoryError("simulated");
        }
    }
}
