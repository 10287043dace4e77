// Seasons in Node, two ways: task by task, and by the same tables as montecarlo.py. One line of JSON in, one out.
import { createInterface } from "node:readline";

let state = 1;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
function bits() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return (t ^ (t >>> 14)) >>> 0;
}
const noise = () => 2 * (random() + random() + random()) - 3;
const clamp = (x, low, high) => (x < low ? low : x > high ? high : x);
const DIMENSIONS = 7, LOW = 0.02, HIGH = 0.98, CHECKS = 4;

function newcomer(c, race) {
  const talent = c.skill + c.skill_spread * noise();
  const skills = new Float64Array(c.families);
  for (let f = 0; f < c.families; f++) skills[f] = clamp(talent + c.family_spread * noise(), 0, 1);
  for (let d = 0; d < DIMENSIONS; d++) noise();
  const consistency = clamp(c.consistency + c.consistency_spread * noise(), 0, 1);
  random(); random();
  return { skills, consistency, shift: 0, tie: random(), deltas: [] };
}

function taskByTask(c) {
  const { families, tasks_per_family: tasks, agent_failure_rate: failure } = c;
  const p = c.partial_credit, m = 1 - p;
  const one = failure + (1 - failure) * m * m * m;
  const two = one + (1 - failure) * 3 * p * m * m;
  const three = two + (1 - failure) * 3 * p * p * m;
  return (seat, offsets, lean) => {
    let checks = 0;
    for (let f = 0; f < families; f++) {
      const chance = clamp(seat.skills[f] + seat.shift + lean - offsets[f], LOW, HIGH);
      for (let t = 0; t < tasks; t++) {
        if (random() < chance) checks += 4;
        else {
          const u = random();
          if (u >= one) checks += u < two ? 1 : u < three ? 2 : 3;
        }
      }
    }
    return checks;
  };
}

function byTables(c, tables) {
  const { families, tasks_per_family: tasks } = c;
  const { cells, slotBits, tiltBits } = tables;
  const slots = Uint8Array.from(tables.unsolved), partial = Uint16Array.from(tables.partial);
  const mass = tables.mass.map((row) => Float64Array.from(row));
  const left = Float64Array.from(tables.left), width = tables.width, ways = tables.ways;
  const mask = (1 << slotBits) - 1, tilts = 1 << tiltBits, all = families * tasks * CHECKS;
  const likely = new Float64Array(tasks + 1);
  function leftOver(chance) {
    const place = chance * cells, point = Math.floor(place), tilt = Math.floor((place - point) * tilts) / tilts;
    let power = 1, total = 0;
    for (let u = 0; u <= tasks; u++) { likely[u] = ways[u] * power; power *= 1 - chance; }
    power = 1;
    for (let u = tasks; u >= 0; u--) { likely[u] *= power; power *= chance; }
    for (let u = 0; u <= tasks; u++) {
      total += Math.max(0, likely[u] - mass[u][point] * (1 - tilt) - mass[u][point + 1] * tilt);
      likely[u] = total;
    }
    const reached = random() * total;
    let u = 0;
    while (u < tasks && likely[u] <= reached) u++;
    return u;
  }
  return (seat, offsets, lean) => {
    let missed = 0, word = 0;
    for (let f = 0; f < families; f++) {
      const chance = clamp(seat.skills[f] + seat.shift + lean - offsets[f], LOW, HIGH);
      word = f & 1 ? word >>> 16 : bits();
      const place = chance * cells, point = (place + ((word >>> slotBits) & (tilts - 1)) / tilts) | 0;
      const unsolved = slots[(point << slotBits) | (word & mask)];
      missed += unsolved === 255 ? leftOver(chance) : unsolved;
    }
    let passed = partial[(missed << slotBits) | (bits() & mask)];
    if (passed === 65535) {
      const reached = missed + random();
      passed = 0;
      while (left[missed * width + passed] <= reached) passed++;
    }
    return all - CHECKS * missed + passed;
  };
}

function season(c, run) {
  const tasks = c.families * c.tasks_per_family, full = CHECKS * tasks;
  const lost = c.run_failure_rate + c.run_timeout_rate + c.run_fault_rate;
  const level0 = new Float64Array(c.families), offsets = new Float64Array(c.families);
  let seats = Array.from({ length: c.agents }, () => newcomer(c, 0)), holder = null, changes = 0;
  const baselines = [];
  for (let race = 0; race < c.races; race++) {
    if (race) {
      for (let a = 0; a < seats.length; a++) {
        const seat = seats[a], fate = random();
        if (fate < c.retirement_rate) seats[a] = newcomer(c, race);
        else if (fate < c.retirement_rate + (1 - c.retirement_rate) * c.resubmission_rate) {
          const shift = clamp(seat.shift + c.improvement + c.improvement_spread * noise(), -1, 1);
          seats[a] = { ...seat, shift, tie: random(), deltas: [], raced: false };
        }
      }
      if (holder && !seats.includes(holder)) holder = best(seats);
    }
    const level = c.difficulty_spread * noise();
    for (let f = 0; f < c.families; f++) offsets[f] = level + c.difficulty_step * (Math.floor(4 * random()) - 1.5);
    const scores = [];
    for (const seat of seats) {
      const form = c.form_spread * (1 - seat.consistency);
      const qualifying = run(seat, level0, form * noise()) / full;
      seat.raw = null;
      if (qualifying < c.qualifying_threshold && seat !== holder) continue;
      const today = form * noise();
      let total = 0, runs = 0;
      for (let v = 0; v < c.validators; v++) {
        if (random() < lost) continue;
        total += run(seat, offsets, today + c.validator_noise * noise()) / full;
        runs++;
      }
      if (runs) scores.push((seat.raw = total / runs));
    }
    scores.sort((a, b) => b - a);
    const half = (scores.length + 1) >> 1;
    let baseline = 0;
    for (let i = 0; i < half; i++) baseline += scores[i];
    baseline /= half;
    const size = Math.min(c.window, race + 1);
    for (const seat of seats) {
      seat.deltas.push(seat.raw === null ? null : seat.raw - baseline);
      if (seat.deltas.length > c.window) seat.deltas.shift();
      let sum = 0;
      seat.raced = false;
      for (const delta of seat.deltas) if (delta !== null) { sum += delta; seat.raced = true; }
      seat.overall = baseline + sum / size;
    }
    const top = best(seats);
    if (!holder || (top !== holder && top.overall > holder.overall + c.margin)) { holder = top; changes++; }
  }
  return changes;
}

function best(seats) {
  let top = null;
  for (const seat of seats)
    if (seat.raced && (!top || seat.overall > top.overall || (seat.overall === top.overall && seat.tie < top.tie))) top = seat;
  return top;
}

let ways;
createInterface({ input: process.stdin }).on("line", (line) => {
  const asked = JSON.parse(line);
  if (asked.config) {
    ways = { config: asked.config, tasks: taskByTask(asked.config), tables: byTables(asked.config, asked.tables) };
    console.log("{}");
    return;
  }
  state = asked.seed | 0;
  const began = process.hrtime.bigint(), cpu = process.cpuUsage();
  let changes = 0;
  for (let s = 0; s < asked.seasons; s++) changes += season(ways.config, ways[asked.way]);
  const wall = Number(process.hrtime.bigint() - began) / 1e9, used = process.cpuUsage(cpu);
  console.log(JSON.stringify({ wall, cpu: (used.user + used.system) / 1e6, changes }));
});
