// Loads the extension of `editors/vscode` with a `vscode` module of this file, and compares what it registers with its package.json.
//
//     node extension.js FOLDER
"use strict";

const assert = require("assert");
const fs = require("fs");
const Module = require("module");
const path = require("path");

const folder = process.argv[2];
const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
const registered = { factories: {}, providers: {}, commands: {} };
const shown = [];
const requests = [];
let input;
let clipboard;

class DebugAdapterExecutable {
  constructor(command, args, options) {
    Object.assign(this, { command, args, options });
  }
}
class DebugAdapterServer {
  constructor(port, host) {
    Object.assign(this, { port, host });
  }
}
const own = (table) => (name, value) => {
  assert(!(name in table), `${name} is registered twice`);
  table[name] = value;
  return { dispose() {} };
};
const vscode = {
  DebugAdapterExecutable,
  DebugAdapterServer,
  workspace: { getConfiguration: (section) => ({ get: (key) => (section === "rjvm" && key === "path" ? "/opt/rjvm" : undefined) }) },
  debug: {
    registerDebugAdapterDescriptorFactory: own(registered.factories),
    registerDebugConfigurationProvider: own(registered.providers),
    activeDebugSession: undefined,
    activeStackItem: undefined,
  },
  commands: { registerCommand: own(registered.commands) },
  window: {
    activeTextEditor: undefined,
    showErrorMessage: (text) => shown.push(text),
    setStatusBarMessage: (text) => shown.push(text),
    showInputBox: async (options) => {
      assert.strictEqual(options.validateInput("1,234"), undefined);
      assert(options.validateInput("x"));
      return input;
    },
  },
  env: { clipboard: { writeText: async (text) => (clipboard = text) } },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

/** Every member that a configuration of an editor has is one that the debugger declares. */
function checkConfiguration(debuggerType, configuration) {
  assert.strictEqual(configuration.type, debuggerType.type);
  const attributes = debuggerType.configurationAttributes[configuration.request];
  assert(attributes, `request ${configuration.request}`);
  for (const name of Object.keys(configuration)) {
    const known = ["type", "request", "name"].includes(name) || name in attributes.properties;
    assert(known, `${name} is no attribute of ${configuration.request}`);
  }
  for (const name of attributes.required ?? []) assert(name in configuration, `${name} is missing`);
}

async function main() {
  const main = path.resolve(folder, manifest.main);
  assert(fs.statSync(main).isFile());
  for (const file of manifest.files) assert(fs.statSync(path.join(folder, file)).isFile(), file);
  assert(/^\^1\.\d+\.0$/.test(manifest.engines.vscode));
  const [type, ...others] = manifest.contributes.debuggers;
  assert.deepStrictEqual(others, []);
  for (const configuration of type.initialConfigurations) checkConfiguration(type, configuration);
  for (const snippet of type.configurationSnippets) {
    assert(snippet.label && snippet.description);
    checkConfiguration(type, snippet.body);
  }
  for (const event of manifest.activationEvents) assert(event.endsWith(":" + type.type), event);
  assert("rjvm.path" in manifest.contributes.configuration.properties);

  const extension = require(main);
  const context = { subscriptions: [] };
  extension.activate(context);
  const commands = manifest.contributes.commands.map((c) => c.command).sort();
  assert.deepStrictEqual(Object.keys(registered.commands).sort(), commands);
  assert.deepStrictEqual(Object.keys(registered.factories), [type.type]);
  assert.deepStrictEqual(Object.keys(registered.providers), [type.type]);
  assert.strictEqual(context.subscriptions.length, commands.length + 2);

  // the adapter
  const factory = registered.factories[type.type];
  const workspaceFolder = { uri: { fsPath: "/project" } };
  const process = factory.createDebugAdapterDescriptor({ configuration: {}, workspaceFolder });
  assert(process instanceof DebugAdapterExecutable);
  assert.deepStrictEqual([process.command, process.args], ["/opt/rjvm", ["debug", "--dap"]]);
  assert.deepStrictEqual(process.options, { cwd: "/project" });
  const server = factory.createDebugAdapterDescriptor({ configuration: { port: 4711 } });
  assert(server instanceof DebugAdapterServer);
  assert.deepStrictEqual([server.port, server.host], [4711, "127.0.0.1"]);

  // configurations
  const provider = registered.providers[type.type];
  assert.strictEqual(provider.resolveDebugConfiguration(undefined, {}), undefined);
  vscode.window.activeTextEditor = { document: { fileName: "/project/src/Main.java" } };
  const made = provider.resolveDebugConfiguration(workspaceFolder, {});
  checkConfiguration(type, made);
  assert.deepStrictEqual([made.mainClass, made.cwd], ["Main", "/project"]);

  // commands, without a session and with one
  for (const name of commands.filter((c) => c !== "rjvm.goToPosition")) await registered.commands[name]();
  assert.strictEqual(shown.filter((t) => t.includes("no session")).length, commands.length - 1);
  vscode.debug.activeStackItem = { threadId: 7 };
  vscode.debug.activeDebugSession = {
    type: type.type,
    customRequest: async (name, parameters) => {
      requests.push([name, parameters]);
      if (name === "rjvm/reverseStepOut") throw new Error("refused");
      return { position: 1234567 };
    },
  };
  input = "1,234,567";
  for (const name of commands) await registered.commands[name]();
  assert.deepStrictEqual(requests, [
    ["rjvm/position", undefined],
    ["rjvm/goto", { position: 1234567 }],
    ["rjvm/reverseStepIn", { threadId: 7 }],
    ["rjvm/reverseStepOut", { threadId: 7 }],
  ]);
  assert.strictEqual(clipboard, "1234567");
  assert(shown.includes("rjvm: refused"));
  extension.deactivate();
}

main().then(
  () => console.log("the extension fits its package.json"),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
