package dev.neurontest.internal.lease.table;

class LeaseTableIT extends LeaseTableContract {

    @Override
    LeaseTable.Builder kept(LeaseTable.Builder table) {
        return table;
    }
}
