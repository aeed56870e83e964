package dev.neurontest.internal.plan;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;

import dev.neurontest.Neff;
import dev.neurontest.internal.text.CountText;
import java.lang.reflect.Parameter;
import org.apiguardian.api.API;

/**
 * A parameter for a loaded model, as {@link Neff} describes it.
 *
 * @param neff the path of the compiled model
 * @param core the index among the cores of the test
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ModelParameter(String neff, int core) {

    /** Reads the annotation of a parameter. */
    public static ModelParameter of(Parameter parameter) {
        Neff neff = findAnnotation(parameter, Neff.class).orElseThrow();
        return new ModelParameter(neff.value(), neff.core());
    }

    /**
     * Rejects a core index outside of the cores of the test.
     *
     * @param cores the number of cores of the test
     * @param test the name of the test for the message
     */
    public void requireCoreBelow(int cores, String test) {
        if (core < 0 || core >= cores) {
            throw Misuse.of("@Neff(value = \"%s\", core = %s): %s has %s, and cores are counted from 0."
                    .formatted(neff, core, test, CountText.of(cores, "core")));
        }
    }
}
