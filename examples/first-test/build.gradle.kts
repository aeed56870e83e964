plugins { java }
repositories { mavenLocal(); mavenCentral() }
dependencies {
    testImplementation("dev.neurontest:neuron-test-extension:0.1.0")
    testImplementation("dev.neurontest:fake-sysfs:0.1.0")
    testImplementation("org.junit.jupiter:junit-jupiter:6.1.3")
    testImplementation("org.assertj:assertj-core:3.27.7")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher:6.1.3")
}
tasks.test { useJUnitPlatform() }
