// What untrusted code finds around it. Evaluated first in every context; gives the one function that the worker calls,
// which no code in the context can reach. Whatever it uses later is captured here, before anything can be replaced.
(function (global) {
  "use strict";

  const LINES = 200, CHARACTERS = 16384, MESSAGE = 1000, STACK = 8000;
  const { apply, construct, defineProperty, deleteProperty } = Reflect;
  const { freeze, getPrototypeOf, setPrototypeOf } = Object;
  const { stringify, parse } = JSON;
  const { imul } = Math;
  const NativeDate = Date, NativeString = String, NativePromise = Promise;
  const NativeError = Error, NativeTypeError = TypeError, NativeRangeError = RangeError;
  const NativeEvalError = EvalError, NativeInternalError = global.InternalError;
  const nativeSlice = NativeString.prototype.slice;
  const cut = (text, length) => apply(nativeSlice, text, [0, length]);

  const fixed = (holder, key, value) =>
    defineProperty(holder, key, { value, writable: false, enumerable: false, configurable: false });
  const given = (key, value) =>
    defineProperty(global, key, { value, writable: true, enumerable: false, configurable: true });

  // Code out of text: refused wherever the language keeps a way to it.
  const refusal = (name) => new NativeEvalError(name + " is not available: code cannot be made out of text here");
  const NativeFunction = Function;
  const stub = function Function() { throw refusal("Function"); };
  fixed(stub, "prototype", NativeFunction.prototype);
  for (const one of [function () {}, function* () {}, async function () {}, async function* () {}])
    fixed(getPrototypeOf(one), "constructor", stub);
  fixed(global, "Function", stub);
  fixed(global, "eval", function () { throw refusal("eval"); });

  fixed(Math, "random", function random() {
    throw new NativeError("Math.random is not available: use rng(seed), which gives the same numbers for the same seed");
  });

  // The clock is the host's: no code reads the real one.
  let now = 0;
  const HostDate = function Date(...parts) {
    if (new.target === undefined) return apply(nativeDateText, new NativeDate(now), []);
    return construct(NativeDate, parts.length === 0 ? [now] : parts, new.target);
  };
  const nativeDateText = NativeDate.prototype.toString;
  fixed(HostDate, "prototype", NativeDate.prototype);
  fixed(NativeDate.prototype, "constructor", HostDate);
  defineProperty(HostDate, "length", { value: 7 });
  for (const [key, value] of [["now", () => now], ["UTC", NativeDate.UTC], ["parse", NativeDate.parse]])
    defineProperty(HostDate, key, { value, writable: true, configurable: true });
  given("Date", HostDate);

  // What is logged is kept for the author, up to a limit.
  const lines = setPrototypeOf([], null);
  let characters = 0;
  const shown = (value) => {
    if (typeof value === "string") return value;
    if (typeof value === "function") return "[function]";
    if (typeof value !== "object" || value === null) return NativeString(value);
    if (isA(value, NativeError)) return described(value)[0] + ": " + described(value)[1];
    try {
      const text = stringify(value);
      return typeof text === "string" ? text : "[object]";
    } catch (error) {
      return "[object]";
    }
  };
  const log = (...values) => {
    if (lines.length >= LINES || characters >= CHARACTERS) return;
    let line = "";
    for (let index = 0; index < values.length && line.length < CHARACTERS; index++)
      line += (index === 0 ? "" : " ") + shown(values[index]);
    line = cut(line, CHARACTERS - characters);
    characters += line.length + 1;
    lines[lines.length] = line;
  };
  const console = { assert: (holds, ...values) => (holds ? undefined : log("Assertion failed:", ...values)) };
  for (const name of ["log", "info", "warn", "error", "debug", "trace", "dir", "table"]) console[name] = log;
  given("console", freeze(console));

  for (const name of [
    "SharedArrayBuffer", "Atomics", "WeakRef", "FinalizationRegistry", "performance", "queueMicrotask", "atob", "btoa",
    "DOMException", "InternalError", "navigator", "gc", "scriptArgs", "print",
  ])
    deleteProperty(global, name);
  fixed(NativeError, "prepareStackTrace", undefined);
  fixed(NativeError, "stackTraceLimit", 20);
  deleteProperty(NativeError, "captureStackTrace");

  // mulberry32: the one source of numbers that look random.
  given("rng", function rng(seed) {
    let state = seed | 0;
    return function () {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
  });
  const exports = {};
  given("module", { exports });
  given("exports", exports);

  // What crosses to the host is JSON, and what JSON would bend is refused by its key.
  const refuse = (key, what) => {
    const place = key === "" ? "the result is " : "the result holds, at the key " + stringify(cut(key, 100)) + ", ";
    throw new NativeTypeError(place + what + ", which JSON cannot carry");
  };
  const checked = (key, value) => {
    switch (typeof value) {
      case "number":
        if (value - value !== 0) refuse(key, NativeString(value));
        return value;
      case "function":
        return refuse(key, "a function");
      case "symbol":
        return refuse(key, "a symbol");
      case "bigint":
        return refuse(key, "a BigInt");
      default:
        return value;
    }
  };
  const written = (value) => {
    if (value === undefined) throw new NativeTypeError("the result is undefined: the function returned nothing");
    if (isA(value, NativePromise))
      throw new NativeTypeError("it returned a Promise: nothing is awaited here, return the value itself");
    const text = stringify(value, checked);
    if (typeof text !== "string") throw new NativeTypeError("the result is undefined: the function returned nothing");
    return text;
  };

  const read = (holder, key, length) => {
    try {
      const text = holder[key];
      return typeof text === "string" ? cut(text, length) : "";
    } catch (error) {
      return "";
    }
  };
  const isA = (thrown, type) => {
    try {
      return thrown instanceof type;
    } catch (error) {
      return false; // a proxy may refuse to say
    }
  };
  const described = (thrown) => {
    const parts = setPrototypeOf(["", "", "", "error"], null);
    if ((typeof thrown !== "object" || thrown === null) && typeof thrown !== "function") {
      parts[1] = "it threw " + cut(NativeString(thrown), MESSAGE);
      return parts;
    }
    parts[0] = read(thrown, "name", 100);
    parts[1] = read(thrown, "message", MESSAGE);
    parts[2] = read(thrown, "stack", STACK);
    if (parts[0] === "" && parts[1] === "") parts[1] = "it threw an object that is no Error";
    if (isA(thrown, NativeInternalError) && parts[1] === "out of memory") parts[3] = "memory";
    if (isA(thrown, NativeRangeError) && parts[1] === "Maximum call stack size exceeded") parts[3] = "stack";
    return parts;
  };

  let failure = null;
  const run = (found, given, limit) => {
    if (found[0] === null) return fail(["", "", "", "missing"]);
    try {
      const text = written(apply(found[0], found[1], parse(given)));
      if (text.length > limit) return fail(["", "", "", "output"]);
      return text;
    } catch (thrown) {
      failure = described(thrown);
      return null;
    }
  };
  const fail = (parts) => {
    failure = setPrototypeOf(parts, null);
    return null;
  };

  return (what, first, second, third) => {
    if (what === "run") return run(first, second, third);
    if (what === "failure") return stringify(failure);
    if (what === "console") return stringify(lines);
    now = first;
    return null;
  };
})(globalThis)
