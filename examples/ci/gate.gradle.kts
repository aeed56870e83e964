val neuronTestCommand: Configuration by configurations.creating

dependencies {
    neuronTestCommand("dev.neurontest:neuron-test-command:0.1.0")
}

tasks.test {
    finalizedBy("neuronGate")
}

tasks.register<JavaExec>("neuronGate") {
    classpath = neuronTestCommand
    mainClass = "dev.neurontest.internal.command.NeuronTestCommand"
    args(
        "report",
        "--gate=neuron-gate.properties",
        "--html=build/neuron-report.html",
        "--json=build/neuron-report.json",
        "build/neuron-test",
    )
}
