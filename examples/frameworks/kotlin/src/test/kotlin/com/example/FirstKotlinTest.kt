package com.example

import dev.neurontest.ExpectCounter
import dev.neurontest.NeuronTest
import dev.neurontest.device.NeuronCore
import dev.neurontest.fake.FakeNeuronHost
import org.junit.jupiter.api.Test

@NeuronTest
class FirstKotlinTest {
    @Test
    @ExpectCounter(value = "inference_count", delta = 100)
    fun `answers a hundred times`(core: NeuronCore, fake: FakeNeuronHost) {
        val physical = fake.core(core.physicalCores()[0].toString())
        fake.openProcess("python3", physical).use { model -> model.execute(physical, 100) }
    }
}
