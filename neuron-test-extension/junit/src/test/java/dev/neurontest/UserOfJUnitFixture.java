package dev.neurontest;

import dev.neurontest.device.NeuronCore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of a project that brings its own JUnit. */
final class UserOfJUnitFixture {

    private UserOfJUnitFixture() {}

    static class WithoutNeuron {
        @Test
        void adds() {}
    }

    @NeuronTest
    static class AnnotatedClass {
        @Test
        void infersInAnAnnotatedClass(NeuronCore core) {}
    }

    static class AnnotatedMethod {
        @Test
        void subtracts() {}

        @Test
        @NeuronTest
        void infersInAnAnnotatedMethod(NeuronCore core) {}
    }

    static class Template {
        @ForEachCore
        void infersOnEachCore(NeuronCore core) {}
    }

    @ForEachCore
    static class TemplateOfAClass {
        @Test
        void infersInEachRunOfTheClass(NeuronCore core) {}
    }

    static class RegisteredByAField {
        @RegisterExtension
        static NeuronExtension neuron = NeuronExtension.builder().build();

        @Test
        void infersWithAField(NeuronCore core) {}
    }

    static class Failing {
        @Test
        void fails() {
            throw new AssertionError();
        }
    }

    static class OutOfMemory {
        @Test
        void fills() {
            throw new OutOfMemoryError("simulated");
        }
    }
}
