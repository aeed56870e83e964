// tag::test
package com.example

import dev.neurontest.Count
import dev.neurontest.ExpectCounter
import dev.neurontest.ExpectDeviceMemoryReturned
import dev.neurontest.NeuronTest
import dev.neurontest.device.NeuronCore
import dev.neurontest.fake.FakeNeuronHost
import org.junit.jupiter.api.Test

@NeuronTest
class KotlinTest {

    @Test
    @ExpectCounter(value = "inference_count", delta = 100)
    @ExpectDeviceMemoryReturned
    fun `answers a hundred times`(core: NeuronCore, fake: FakeNeuronHost) {
        fake.openProcess("python3", core).use { process ->
            process.allocate(core, "tensors", 3L shl 20)
            process.execute(core, 100)
        }
    }

    @Test
    @ExpectCounter(value = "inference_count", delta = 7, each = true)
    fun `takes two cores in a row`(@Count(2) cores: List<NeuronCore>, fake: FakeNeuronHost) {
        val requests = 7
        cores.forEach { core ->
            fake.openProcess("python3", core).use { it.execute(core, requests) }
        }
    }
}
// end::test
