// How an answer is judged. The parts are points: a dimension's weight times maxScore, times the share earned.
var WEIGHTS = { correctness: 0.4, completeness: 0.13, analysis: 0.13, speed: 0.34 };
var MAX_SCORE = 1000;
var LIMIT = 300; // seconds, as in spec.json

function score(input) {
  var answer = input.submission || {};
  var truth = input.groundTruth;
  var names = Object.keys(truth.totals);
  var right = names.filter(function (name) { return answer[name] === truth.totals[name]; }).length;
  var given = names.filter(function (name) { return typeof answer[name] === "number"; }).length;
  var correct = right / names.length;
  var shares = {
    correctness: correct,
    completeness: given / names.length,
    analysis: answer.highest === truth.highest ? 1 : 0,
    speed: Math.max(0, 1 - seconds(input) / LIMIT)
  };
  var breakdown = {};
  var total = 0;
  Object.keys(WEIGHTS).forEach(function (key) {
    breakdown[key] = Math.round(shares[key] * WEIGHTS[key] * MAX_SCORE);
    total += breakdown[key];
  });
  breakdown.total = total;
  return { breakdown: breakdown };
}

function seconds(input) {
  return (new Date(input.submittedAt) - new Date(input.startedAt)) / 1000;
}

module.exports = { score: score };
