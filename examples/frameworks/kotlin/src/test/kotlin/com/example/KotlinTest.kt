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
        val physical = fake.core(core.physicalCores().first().toString())
        fake.openProcess("python3", physical).use { process ->
            process.allocate(physical, "tensors", 3L shl 20)
            process.execute(physical, 100)
        }
    }

    @Test
    @ExpectCounter(value = "inference_count", delta = 7, each = true)
    fun `takes two cores in a row`(@Count(2) cores: List<NeuronCore>, fake: FakeNeuronHost) {
        cores.map { fake.core(it.physicalCores().first().toString()) }.forEach { physical ->
            fake.openProcess("python3", physical).use { it.execute(physical, 7) }
        }
    }
}
// end::test
