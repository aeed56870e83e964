package com.example;

import jakarta.enterprise.context.ApplicationScoped;

/** A placeholder for a service that answers requests on a NeuronCore. */
@ApplicationScoped
public class ModelService {

    public int answer(int requests, Runnable inference) {
        for (int i = 0; i < requests; i++) {
            inference.run();
        }
        return requests;
    }
}
