package dev.neurontest.internal.tensor;

import java.util.List;
import java.util.function.LongToDoubleFunction;
import org.apiguardian.api.API;

/**
 * A tensor at low resolution: a grid of cells, each for a block of values. A cell contains the minimum, maximum and mean of its values,
 * and the number of values that are not finite. The last dimension runs to the right, all others downwards. A single long row of values is
 * folded.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HeatMap {

    private final long width;
    private final long height;
    private final long blockWidth;
    private final long blockHeight;
    private final int columns;
    private final int rows;
    private final double[] least;
    private final double[] most;
    private final double[] sum;
    private final long[] finite;
    private final long[] nan;
    private final long[] infinite;

    private HeatMap(List<Long> shape, int cells) {
        long count = Layout.count(shape);
        long last = shape.isEmpty() ? 1 : shape.get(shape.size() - 1);
        boolean folded = count == last && last > cells;
        width = folded ? Long.highestOneBit((long) Math.ceil(Math.sqrt(count)) * 2 - 1) : Math.max(1, last);
        height = count == 0 ? 0 : (count + width - 1) / width;
        blockWidth = (width + cells - 1) / cells;
        blockHeight = Math.max(1, (height + cells - 1) / cells);
        columns = (int) ((width + blockWidth - 1) / blockWidth);
        rows = (int) ((height + blockHeight - 1) / blockHeight);
        least = new double[rows * columns];
        most = new double[rows * columns];
        sum = new double[rows * columns];
        finite = new long[rows * columns];
        nan = new long[rows * columns];
        infinite = new long[rows * columns];
    }

    /**
     * Creates a map of all values.
     *
     * @param shape shape of the tensor
     * @param cells maximum number of cells in each direction
     * @param value value by its row-major index
     */
    public static HeatMap of(List<Long> shape, int cells, LongToDoubleFunction value) {
        HeatMap map = new HeatMap(shape, cells);
        long count = Layout.count(shape);
        for (long flat = 0; flat < count; flat++) {
            map.add(flat, value.applyAsDouble(flat));
        }
        return map;
    }

    private void add(long flat, double value) {
        int cell = (int) (flat / width / blockHeight) * columns + (int) (flat % width / blockWidth);
        if (Double.isNaN(value)) {
            nan[cell]++;
        } else if (Double.isInfinite(value)) {
            infinite[cell]++;
        } else {
            least[cell] = finite[cell] == 0 ? value : Math.min(least[cell], value);
            most[cell] = finite[cell] == 0 ? value : Math.max(most[cell], value);
            sum[cell] += value;
            finite[cell]++;
        }
    }

    /**
     * Returns the number of columns.
     *
     * @return at least 1
     */
    public int columns() {
        return columns;
    }

    /**
     * Returns the number of rows.
     *
     * @return 0 when there are no values
     */
    public int rows() {
        return rows;
    }

    /**
     * Returns the width of the block of a cell, in values.
     *
     * @return at least 1
     */
    public long blockWidth() {
        return blockWidth;
    }

    /**
     * Returns the height of the block of a cell, in values.
     *
     * @return at least 1
     */
    public long blockHeight() {
        return blockHeight;
    }

    /**
     * Returns whether a cell contains a finite value.
     *
     * @param row from 0
     * @param column from 0
     * @return false for a cell with only NaN or infinite values, and for a cell after the end
     */
    public boolean isFinite(int row, int column) {
        return finite[cell(row, column)] > 0;
    }

    /**
     * Returns the number of NaN values in a cell.
     *
     * @param row from 0
     * @param column from 0
     */
    public long nan(int row, int column) {
        return nan[cell(row, column)];
    }

    /**
     * Returns the number of infinite values in a cell.
     *
     * @param row from 0
     * @param column from 0
     */
    public long infinite(int row, int column) {
        return infinite[cell(row, column)];
    }

    /**
     * Returns the smallest finite value of a cell.
     *
     * @param row from 0
     * @param column from 0
     * @return 0 when there is none
     */
    public double least(int row, int column) {
        return least[cell(row, column)];
    }

    /**
     * Returns the largest finite value of a cell.
     *
     * @param row from 0
     * @param column from 0
     * @return 0 when there is none
     */
    public double most(int row, int column) {
        return most[cell(row, column)];
    }

    /**
     * Returns the mean of the finite values of a cell.
     *
     * @param row from 0
     * @param column from 0
     * @return 0 when there is none
     */
    public double mean(int row, int column) {
        int cell = cell(row, column);
        return finite[cell] == 0 ? 0 : Math.max(least[cell], Math.min(most[cell], sum[cell] / finite[cell]));
    }

    private int cell(int row, int column) {
        return row * columns + column;
    }
}
