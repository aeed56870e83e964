export default {
  plugins: { awesome: { options: { groupBy: ["host", "neuron.core"] } } }
};
