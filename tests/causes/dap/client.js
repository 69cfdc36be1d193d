// Sessions of `rjvm debug --dap` with Microsoft's client for tests of debug adapters, `@vscode/debugadapter-testsupport`.
//
//     node client.js MODULES SCENARIO ADAPTER CLASSES SOURCES
//
// MODULES is the folder with the client, ADAPTER a shell script that starts the adapter. It prints all messages in their order, as
// one line of JSON each. Positions become P1, P2 … by their size; addresses of methods and paths are replaced.
"use strict";

const net = require("net");
const path = require("path");
const [modules, scenario, adapter, classes, sources] = process.argv.slice(2);
const { DebugClient } = require(path.join(modules, "@vscode/debugadapter-testsupport"));

const lines = [];

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}

/** The client, with a transcript. */
class Client extends DebugClient {
  doSend(command, args, done) {
    lines.push(["> " + command, args ?? {}]);
    super.doSend(command, args, done);
  }
  dispatch(text) {
    const message = JSON.parse(text);
    if (message.type === "event") {
      lines.push(["! " + message.event, message.body ?? {}]);
    } else if (message.success) {
      lines.push(["< " + message.command, message.body ?? {}]);
    } else {
      lines.push(["x " + message.command, message.message]);
    }
    super.dispatch(text);
  }
  /** Requests something after which the program stops. */
  async stops(command, args) {
    const stopped = this.waitForEvent("stopped");
    await this.send(command, args);
    return (await stopped).body;
  }
  /** Requests something that is refused. */
  async refused(command, args) {
    try {
      await this.send(command, args);
    } catch {
      return;
    }
    throw new Error(`${command} was not refused`);
  }
  async top() {
    const body = (await this.send("stackTrace", { threadId: this.main, startFrame: 0, levels: 1 })).body;
    return body.stackFrames[0];
  }
  async values(reference, more) {
    return (await this.send("variables", { variablesReference: reference, ...more })).body.variables;
  }
  async evaluate(expression, frame, context) {
    const args = { expression, context: context ?? "watch" };
    if (frame) args.frameId = frame.id;
    return (await this.send("evaluate", args)).body;
  }
}

const source = (name) => ({ path: path.join(sources, name) });

/** A session with a program; `configure` sets its breakpoints. */
async function session(launch, configure) {
  const client = new Client("sh", adapter, "rjvm", undefined, true);
  client.defaultTimeout = 60_000;
  await client.start();
  await client.send("initialize", { adapterID: "rjvm", linesStartAt1: true, columnsStartAt1: true, pathFormat: "path" });
  const initialized = client.waitForEvent("initialized");
  await client.send("launch", { classPath: [classes], sourcePath: [sources], ...launch });
  await initialized;
  if (configure) await configure(client);
  const stopped = client.waitForEvent("stopped");
  await client.send("configurationDone");
  client.main = (await stopped).body.threadId;
  return client;
}

const scenarios = {
  async walk() {
    const client = await session({ mainClass: "Walk" }, async (c) => {
      await c.send("setBreakpoints", {
        source: source("Walk.java"),
        breakpoints: [{ line: 17 }, { line: 23, logMessage: "n is {n}, total {Walk.total}" }, { line: 400 }],
      });
      await c.send("setBreakpoints", { source: source("Thrown.java"), breakpoints: [{ line: 9 }] });
      await c.send("setFunctionBreakpoints", { breakpoints: [{ name: "Walk.fail", condition: "n > 2" }, { name: "no place" }] });
      await c.send("setExceptionBreakpoints", { filters: [] });
    });
    // what is seen of a stop
    await client.send("threads");
    const stack = (await client.send("stackTrace", { threadId: client.main })).body;
    await client.send("stackTrace", { threadId: client.main, startFrame: 1, levels: 1 });
    const frame = stack.stackFrames[0];
    const scopes = (await client.send("scopes", { frameId: frame.id })).body.scopes;
    const locals = await client.values(scopes[0].variablesReference);
    await client.values(scopes[1].variablesReference);
    await client.values(scopes[2].variablesReference);
    await client.values(scopes[3].variablesReference);
    const fields = await client.values(locals.find((v) => v.name === "this").variablesReference);
    const squares = fields.find((v) => v.name === "squares").variablesReference;
    await client.values(squares, { filter: "indexed", start: 1, count: 2 });
    await client.values(squares, { filter: "named" });
    await client.evaluate("n", frame, "hover");
    await client.evaluate("this.squares", frame);
    await client.evaluate("this.squares.length * 2 - n", frame);
    await client.evaluate("Walk.total == 0 && this.names != null", frame);
    await client.evaluate("args.length", stack.stackFrames[2]);
    await client.refused("evaluate", { expression: "nothing", frameId: frame.id });
    await client.refused("evaluate", { expression: "n +", frameId: frame.id });
    // steps, forward and backward
    await client.stops("next", { threadId: client.main });
    await client.refused("scopes", { frameId: frame.id });
    await client.stops("next", { threadId: client.main });
    await client.stops("stepOut", { threadId: client.main });
    await client.stops("stepBack", { threadId: client.main });
    await client.top();
    await client.stops("stepIn", { threadId: client.main });
    await client.top();
    await client.stops("stepBack", { threadId: client.main });
    await client.stops("stepBack", { threadId: client.main });
    await client.top();
    await client.stops("next", { threadId: client.main, granularity: "instruction" });
    await client.stops("stepBack", { threadId: client.main, granularity: "instruction" });
    // breakpoints, forward and backward; messages
    await client.stops("continue", { threadId: client.main });
    await client.evaluate("n");
    await client.stops("continue", { threadId: client.main });
    await client.evaluate("n");
    await client.stops("reverseContinue", { threadId: client.main });
    await client.evaluate("n");
    await client.stops("reverseContinue", { threadId: client.main });
    await client.stops("reverseContinue", { threadId: client.main });
    // who wrote the field last?
    await client.send("setBreakpoints", { source: source("Walk.java"), breakpoints: [] });
    await client.stops("continue", { threadId: client.main });
    const at = await client.top();
    await client.send("dataBreakpointInfo", { name: "n", frameId: at.id });
    const info = (await client.send("dataBreakpointInfo", { name: "Walk.total", frameId: at.id })).body;
    await client.send("setDataBreakpoints", { breakpoints: [{ dataId: info.dataId, accessType: "write" }] });
    await client.stops("reverseContinue", { threadId: client.main });
    const writer = await client.top();
    await client.evaluate("more", writer);
    await client.evaluate("Walk.total", writer);
    const position = (await client.send("rjvm/position")).body.position;
    await client.stops("reverseContinue", { threadId: client.main });
    await client.evaluate("more");
    await client.send("setDataBreakpoints", { breakpoints: [{ dataId: "Walk.total", condition: "$value == 30" }] });
    await client.stops("continue", { threadId: client.main });
    await client.evaluate("more");
    await client.stops("reverseContinue", { threadId: client.main });
    await client.stops("evaluate", { expression: `goto ${position}`, context: "repl" });
    await client.evaluate("$position");
    await client.evaluate("where", undefined, "repl");
    // the end, and back from it
    await client.send("setDataBreakpoints", { breakpoints: [] });
    await client.send("setFunctionBreakpoints", { breakpoints: [] });
    await client.stops("continue", { threadId: client.main });
    await client.send("threads");
    await client.send("stackTrace", { threadId: client.main });
    await client.refused("evaluate", { expression: "n" });
    await client.stops("stepBack", { threadId: client.main });
    await client.top();
    await client.send("disconnect");
  },

  async exceptions() {
    const client = await session({ mainClass: "Uncaught", stopOnEntry: true }, async (c) => {
      await c.send("setExceptionBreakpoints", {
        filters: ["uncaught"],
        filterOptions: [{ filterId: "caught", condition: "java.lang.ArithmeticException, java.lang.IllegalStateException" }],
      });
    });
    await client.refused("exceptionInfo", { threadId: client.main });
    for (let i = 0; i < 3; i++) {
      await client.stops("continue", { threadId: client.main });
      await client.send("exceptionInfo", { threadId: client.main });
      await client.top();
    }
    await client.send("setExceptionBreakpoints", { filters: ["uncaught"] });
    await client.stops("reverseContinue", { threadId: client.main });
    await client.stops("continue", { threadId: client.main });
    await client.stops("continue", { threadId: client.main });
    const terminated = client.waitForEvent("terminated");
    await client.send("continue", { threadId: client.main });
    await terminated;
    await client.refused("stackTrace", { threadId: client.main });
    await client.send("disconnect");
  },

  async hits() {
    const at = (hitCondition, more) => (c) =>
      c.send("setBreakpoints", { source: source("Walk.java"), breakpoints: [{ line: 17, hitCondition, ...more }] });
    const client = await session({ mainClass: "Walk" }, at("3"));
    await client.evaluate("n");
    await client.stops("reverseContinue", { threadId: client.main });
    await client.stops("continue", { threadId: client.main });
    await client.evaluate("n");
    await at("% 2")(client);
    await client.stops("continue", { threadId: client.main });
    await client.evaluate("n");
    await client.stops("reverseContinue", { threadId: client.main });
    await client.evaluate("n");
    await at(">= 2", { condition: "n % 2 == 0" })(client);
    await client.stops("continue", { threadId: client.main });
    await client.evaluate("n");
    await client.stops("continue", { threadId: client.main });
    await client.evaluate("n");
    await client.stops("reverseContinue", { threadId: client.main });
    await client.evaluate("n");
    await at("x")(client);
    await at(undefined, { condition: "n +" })(client);
    // another process of the program
    await client.stops("restart", {});
    await client.send("disconnect");
  },

  async bytecodes() {
    const client = await session({ mainClass: "Walk", stopOnEntry: true }, (c) =>
      c.send("setFunctionBreakpoints", { breakpoints: [{ name: "Walk.square" }] }),
    );
    await client.stops("continue", { threadId: client.main });
    const reference = (await client.top()).instructionPointerReference;
    await client.send("disassemble", { memoryReference: reference, instructionOffset: -2, instructionCount: 14 });
    await client.refused("disassemble", { memoryReference: "x", instructionCount: 1 });
    await client.refused("disassemble", { memoryReference: "0xfffffff0000", instructionCount: 1 });
    await client.refused("stepInTargets", {});
    await client.refused("launch", { mainClass: "Walk" });
    await client.refused("configurationDone");
    const terminated = client.waitForEvent("terminated");
    await client.send("terminate");
    await terminated;
    await client.send("disconnect");
  },

  // a class that is loaded later, in a file of its own
  async later() {
    const client = await session({ mainClass: "Later", stopOnEntry: true }, (c) =>
      c.send("setBreakpoints", { source: source("Uncaught.java"), breakpoints: [{ line: 6 }, { line: 8 }, { line: 99 }] }),
    );
    await client.stops("continue", { threadId: client.main });
    await client.send("stackTrace", { threadId: client.main });
    await client.stops("reverseContinue", { threadId: client.main });
    await client.send("disconnect");
  },

  // the replay of a recording
  async recording() {
    const recording = process.env.RJVM_DAP_RECORDING;
    const client = await session({ recording, classPath: undefined }, async () => {});
    await client.stops("stepBack", { threadId: client.main });
    await client.top();
    await client.send("setFunctionBreakpoints", { breakpoints: [{ name: "Walk.square", condition: "n == 3" }] });
    await client.stops("reverseContinue", { threadId: client.main });
    await client.evaluate("this.squares");
    await client.send("disconnect");
  },

  // expressions with calls, changed values, and what helps to write them
  async changes() {
    const client = await session({ mainClass: "Walk" }, (c) =>
      c.send("setBreakpoints", { source: source("Walk.java"), breakpoints: [{ line: 23, condition: "n == 3 ? more > 8 : false" }] }),
    );
    const frame = await client.top();
    const scopes = (await client.send("scopes", { frameId: frame.id })).body.scopes;
    const locals = await client.values(scopes[0].variablesReference);
    const fields = await client.values(locals.find((v) => v.name === "this").variablesReference);
    // elements of a collection, and its fields
    const names = await client.values(fields.find((v) => v.name === "names").variablesReference);
    await client.values(names.find((v) => v.name === "fields").variablesReference, { start: 0, count: 1 });
    // calls leave the program as it is
    await client.evaluate("square(2) + names.size()", frame);
    await client.evaluate("names.get(1).length() + \"!\"", frame);
    const list = await client.evaluate("new java.util.ArrayList(names)", frame);
    await client.values(list.variablesReference, { start: 1, count: 1 });
    await client.evaluate("this.squares[2]", frame);
    await client.refused("evaluate", { expression: "names.get(7)", frameId: frame.id });
    await client.send("completions", { frameId: frame.id, text: "1 + this.n", column: 11 });
    await client.send("completions", { frameId: frame.id, text: "mo", column: 3 });
    await client.send("loadedSources");
    await client.refused("gotoTargets", { source: source("Walk.java"), line: 22 });
    await client.refused("goto", { threadId: client.main, targetId: 1 });
    // a changed value makes another run
    await client.send("setVariable", { variablesReference: scopes[0].variablesReference, name: "more", value: "500 + n" });
    await client.send("setExpression", { expression: "this.squares[0]", value: "more * 2", frameId: frame.id });
    await client.refused("setExpression", { expression: "this.squares", value: "1", frameId: frame.id });
    await client.evaluate("more + this.squares[0]", frame);
    await client.stops("next", { threadId: client.main });
    await client.evaluate("Walk.total");
    await client.stops("reverseContinue", { threadId: client.main });
    await client.stops("reverseContinue", { threadId: client.main });
    await client.stops("reverseContinue", { threadId: client.main });
    await client.stops("continue", { threadId: client.main });
    await client.evaluate("more");
    // a frame begins again, and a call of a line is entered
    await client.stops("restartFrame", { frameId: (await client.top()).id });
    const again = await client.top();
    const targets = (await client.send("stepInTargets", { frameId: again.id })).body.targets;
    await client.stops("stepIn", { threadId: client.main, targetId: targets[0].id });
    await client.top();
    // nothing that runs can be taken back any more
    await client.send("cancel", { requestId: 1 });
    await client.send("disconnect");
  },

  // an expression that runs long is taken back
  async cancelled() {
    const client = await session({ mainClass: "Expressions" }, (c) =>
      c.send("setFunctionBreakpoints", { breakpoints: [{ name: "Expressions.here" }] }),
    );
    const frame = await client.top();
    const evaluation = client.refused("evaluate", { expression: "forever() + forever()", frameId: frame.id });
    const seq = client.sequence - 1;
    await client.send("cancel", { requestId: seq });
    await evaluation;
    const kept = lines.filter(([name]) => name.startsWith("x "));
    await client.send("disconnect");
    lines.length = 0;
    lines.push(...kept);
  },

  // the client's own check of a breakpoint
  async convenience() {
    const client = new Client("sh", adapter, "rjvm", undefined, true);
    client.defaultTimeout = 60_000;
    await client.start();
    const launch = { mainClass: "Walk", classPath: classes, sourcePath: sources };
    const location = { path: source("Walk.java").path, line: 35 };
    await client.hitBreakpoint(launch, location);
    await client.send("disconnect");
  },

  // a pause while the program runs, and breakpoints that are set meanwhile
  async pause() {
    const client = await session({ mainClass: "Rounds", args: ["2000000000"], stopOnEntry: true });
    const begin = (await client.send("rjvm/position")).body.position;
    const running = client.waitForEvent("stopped");
    await client.send("continue", { threadId: client.main });
    await client.send("threads");
    await client.refused("stackTrace", { threadId: client.main });
    await client.send("setFunctionBreakpoints", { breakpoints: [{ name: "Nothing.at" }] });
    await new Promise((done) => setTimeout(done, 3000));
    await client.send("pause", { threadId: client.main });
    const stopped = (await running).body;
    if (stopped.reason !== "pause" || stopped.position <= begin) throw new Error(JSON.stringify(stopped));
    await client.send("stackTrace", { threadId: client.main });
    await client.stops("reverseContinue", { threadId: client.main });
    if ((await client.send("rjvm/position")).body.position !== begin) throw new Error("not the beginning");
    // the client goes while the program runs
    await client.send("continue", { threadId: client.main });
    await client.send("disconnect");
    lines.length = 0;
    lines.push(["paused", {}]);
  },

  // a program in the real world: its output and the messages of stops come at once, and it is paused where it waits
  async live() {
    const live = { mainClass: "Live", live: true, args: ["live.txt", "2"], stopOnEntry: true };
    const client = await session(live, (c) =>
      c.send("setBreakpoints", { source: source("Live.java"), breakpoints: [{ line: 30, logMessage: "client {n}" }] }),
    );
    const said = () => lines.filter(([name]) => name === "! output").map(([, body]) => body.output).join("");
    const appears = async (pattern) => {
      for (let i = 0; i < 600; i++) {
        const found = pattern.exec(said());
        if (found) return found[1];
        await new Promise((done) => setTimeout(done, 100));
      }
      throw new Error(`no ${pattern} in ${said()}`);
    };
    const ask = (port) => {
      const socket = net.connect(port, "127.0.0.1", () => socket.write("A"));
      return new Promise((done) => socket.on("data", (data) => done(String(data).trim())));
    };
    await client.send("continue", { threadId: client.main });
    const port = Number(await appears(/port (\d+)/));
    const first = ask(port);
    await appears(/client (1)/);
    await first;
    // a stop that is set while the program waits
    const stopped = client.waitForEvent("stopped");
    await client.send("setFunctionBreakpoints", { breakpoints: [{ name: "Live.answer" }] });
    const second = ask(port);
    const reason = (await stopped).body.reason;
    const total = (await client.evaluate("Live.total")).result;
    if (total !== `${await first}L`) throw new Error(`${total} is not ${await first}`);
    // the first client again, which is not there any more
    await client.stops("reverseContinue", { threadId: client.main });
    const before = (await client.evaluate("Live.total")).result;
    await client.stops("continue", { threadId: client.main });
    await client.stops("continue", { threadId: client.main });
    await second;
    const end = said().includes("client 2\n") && said().includes(`total ${BigInt(await first) + BigInt(await second)}\n`);
    await client.send("disconnect");
    lines.length = 0;
    lines.push(["live", { reason, before, end }]);
  },

  // pauses of a program that waits
  async waits() {
    const client = await session({ mainClass: "Live", live: true, args: ["live.txt", "1"], stopOnEntry: true });
    const pauses = [];
    for (let i = 0; i < 3; i++) {
      await client.send("continue", { threadId: client.main });
      await new Promise((done) => setTimeout(done, 700));
      const { reason } = await client.stops("pause", { threadId: client.main });
      const frames = (await client.send("stackTrace", { threadId: client.main })).body.stackFrames;
      pauses.push([reason, frames.find((f) => f.name.startsWith("Live."))?.line]);
    }
    await client.send("disconnect");
    lines.length = 0;
    lines.push(["waits", { pauses }]);
  },
};

/** The transcript without what differs between machines. */
function shown() {
  const text = lines.map(([name, body]) => `${name} ${JSON.stringify(sorted(body))}`);
  const all = text.join("\n").split(sources).join("SOURCES").split(classes).join("CLASSES").split(process.env.RJVM_DAP_RECORDING).join("RECORDING");
  const positions = new Set();
  const digits = /("position":|bytecode |goto |"position","value":"|"result":")([0-9]+(?:,[0-9]{3})+|[0-9]{6,})/g;
  for (const [, , n] of all.matchAll(digits)) positions.add(Number(n.replace(/,/g, "")));
  const order = [...positions].sort((a, b) => a - b);
  const named = all.replace(digits, (_, before, n) => `${before}P${order.indexOf(Number(n.replace(/,/g, ""))) + 1}`);
  return named.replace(/0x[0-9a-f]+/g, "ADDRESS");
}

scenarios[scenario]().then(
  () => {
    console.log(shown());
    process.exit(0);
  },
  (error) => {
    console.log(shown());
    console.error(error);
    process.exit(1);
  },
);
