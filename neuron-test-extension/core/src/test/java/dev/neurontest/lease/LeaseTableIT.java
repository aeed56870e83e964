package dev.neurontest.lease;

class LeaseTableIT extends LeaseTableContract {

    @Override
    LeaseTable.Builder kept(LeaseTable.Builder table) {
        return table;
    }
}
