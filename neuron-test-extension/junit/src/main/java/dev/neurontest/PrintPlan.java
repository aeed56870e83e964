package dev.neurontest;

import dev.neurontest.print.PrintDemand;
import dev.neurontest.print.PrintRules;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * What a test wants of device prints, and how they are judged.
 *
 * @param wanted whether the test looks at prints itself, or demands something of them
 * @param rules what they are judged by
 */
record PrintPlan(boolean wanted, PrintRules rules) {

    /** For whatever has nothing to do with prints. */
    static final PrintPlan NONE = new PrintPlan(false, PrintRules.DEFAULT);

    static PrintPlan of(List<Class<?>> testClasses, Method testMethod, List<Parameter> parameters, boolean ofRuntime) {
        PrintRules rules = PrintDemands.ofTest(testClasses, testMethod);
        boolean wanted = !rules.demands().isEmpty() || takes(parameters, Injected.PRINTS);
        if (wanted && !ofRuntime && !takes(parameters, Injected.WORKLOADS)) {
            throw new ExtensionConfigurationException(
                    testMethod + " wants device prints, but nothing that it takes could print. Take a LoadedModel with"
                            + " @Neff(\"model.neff\") or a NeuronRuntime, or start the program with Workloads.");
        }
        return new PrintPlan(wanted, rules);
    }

    /** Everything that is demanded, in the user's words. */
    List<String> demands() {
        return rules.demands().stream().map(PrintDemand::words).toList();
    }

    private static boolean takes(List<Parameter> parameters, Injected what) {
        return parameters.stream()
                .anyMatch(
                        parameter -> Injected.of(parameter).filter(what::equals).isPresent());
    }
}
