// What a seed gives: the task in words, the right answer (which the scorer alone sees), and the workspace's data.
var STATIONS = ["north", "east", "south", "west", "harbour"];

function generateData(seed) {
  var random = rng(seed); // the one source of chance: the same seed gives the same data everywhere
  var readings = [];
  var totals = {};
  var highest = STATIONS[0];
  var i;
  for (i = 0; i < STATIONS.length; i++) {
    totals[STATIONS[i]] = 0;
  }
  for (i = 0; i < 60; i++) {
    var station = STATIONS[Math.floor(random() * STATIONS.length)];
    var level = 10 + Math.floor(random() * 90);
    readings.push({ station: station, level: level });
    totals[station] += level;
  }
  for (i = 1; i < STATIONS.length; i++) {
    if (totals[STATIONS[i]] > totals[highest]) {
      highest = STATIONS[i];
    }
  }
  return {
    objective: "Add up the water levels in readings.json by station.",
    groundTruth: { totals: totals, highest: highest },
    readings: readings // the workspace's readings.json
  };
}

module.exports = { generateData: generateData };
