package dev.neurontest.lease;

class LeaseTableTest extends LeaseTableContract {

    @Override
    LeaseTable.Builder kept(LeaseTable.Builder table) {
        return table;
    }
}
