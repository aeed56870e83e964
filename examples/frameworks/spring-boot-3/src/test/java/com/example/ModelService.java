package com.example;

// tag::service
import org.springframework.stereotype.Service;

/** A placeholder for a service that answers requests on a NeuronCore. */
@Service
class ModelService {

    int answer(int requests, Runnable inference) {
        for (int i = 0; i < requests; i++) {
            inference.run();
        }
        return requests;
    }
}
// end::service
