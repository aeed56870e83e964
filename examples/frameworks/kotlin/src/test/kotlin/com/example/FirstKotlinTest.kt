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
        fake.openProcess("python3", core).use { model -> model.execute(core, 100) }
    }
}
