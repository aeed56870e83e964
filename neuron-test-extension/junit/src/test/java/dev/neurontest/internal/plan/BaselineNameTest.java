package dev.neurontest.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.TestId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BaselineNameTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [engine:junit-jupiter]/[class:com.acme.BertTest]/[method:inference()] | inference()
            [engine:junit-jupiter]/[class:com.acme.BertTest]/[method:inference(dev.neurontest.device.NeuronCore, int)] | inference(NeuronCore, int)
            [engine:junit-jupiter]/[class:com.acme.BertTest]/[nested-class:Large]/[test-template:inference(int)]/[test-template-invocation:#2] | inference(int)[2]
            [engine:junit-platform-suite]/[suite:com.acme.All]/[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:inference(com.acme.Outer$Inner)] | inference(Inner)
            [engine:junit-jupiter]/[class-template:com.acme.BertTest]/[class-template-invocation:#1]/[method:inference()] | [1]inference()
            [engine:junit-jupiter]/[class:com.acme.BertTest]/[test-factory:models()]/[dynamic-test:#3] | models()[3]
            """)
    void isShortAndTheSameInEveryRun(String id, String name) {
        assertThat(BaselineName.of(new TestId(id, "whatever JUnit shows"))).isEqualTo(name);
    }
}
