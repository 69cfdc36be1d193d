// Starts `rjvm debug --dap` for the debugger type `rjvm`, and adds commands for what the protocol has no button for.
"use strict";

const vscode = require("vscode");

const TYPE = "rjvm";

/** Where the adapter is: a port that the configuration names, or a process of its own. */
class AdapterFactory {
  createDebugAdapterDescriptor(session) {
    const { port } = session.configuration;
    if (port !== undefined) {
      return new vscode.DebugAdapterServer(port, "127.0.0.1");
    }
    const folder = session.workspaceFolder;
    const scope = folder && folder.uri;
    const command = vscode.workspace.getConfiguration(TYPE, scope).get("path") || TYPE;
    const options = folder ? { cwd: folder.uri.fsPath } : undefined;
    return new vscode.DebugAdapterExecutable(command, ["debug", "--dap"], options);
  }
}

/** Fills in what a configuration leaves out. */
class ConfigurationProvider {
  resolveDebugConfiguration(folder, configuration) {
    if (!configuration.type && !configuration.request && !configuration.name) {
      const editor = vscode.window.activeTextEditor;
      const name = editor && /([^/\\]+)\.java$/.exec(editor.document.fileName);
      if (!name) {
        vscode.window.showErrorMessage("rjvm: add a configuration with mainClass and classPath to launch.json");
        return undefined;
      }
      Object.assign(configuration, { type: TYPE, request: "launch", name: `rjvm: ${name[1]}`, mainClass: name[1] });
    }
    if (configuration.request === "launch" && !configuration.cwd && folder) {
      configuration.cwd = folder.uri.fsPath;
    }
    return configuration;
  }
}

/** A request to the session that is debugged now. */
async function request(command, parameters) {
  const session = vscode.debug.activeDebugSession;
  if (!session || session.type !== TYPE) {
    vscode.window.showErrorMessage("rjvm: no session is active");
    return undefined;
  }
  try {
    return await session.customRequest(command, parameters);
  } catch (error) {
    vscode.window.showErrorMessage(`rjvm: ${error.message}`);
    return undefined;
  }
}

/** The thread that the editor shows. */
function thread() {
  const item = vscode.debug.activeStackItem;
  return item && item.threadId;
}

async function goToPosition() {
  const text = await vscode.window.showInputBox({
    prompt: "Number of executed bytecodes",
    validateInput: (value) => (/^[0-9][0-9,_]*$/.test(value.trim()) ? undefined : "Expected a number"),
  });
  if (text !== undefined) {
    await request("rjvm/goto", { position: Number(text.replace(/[,_\s]/g, "")) });
  }
}

async function copyPosition() {
  const body = await request("rjvm/position");
  if (body) {
    await vscode.env.clipboard.writeText(String(body.position));
    vscode.window.setStatusBarMessage(`rjvm: position ${body.position} copied`, 3000);
  }
}

function activate(context) {
  const step = (command) => () => request(command, { threadId: thread() });
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, new AdapterFactory()),
    vscode.debug.registerDebugConfigurationProvider(TYPE, new ConfigurationProvider()),
    vscode.commands.registerCommand("rjvm.goToPosition", goToPosition),
    vscode.commands.registerCommand("rjvm.copyPosition", copyPosition),
    vscode.commands.registerCommand("rjvm.reverseStepIn", step("rjvm/reverseStepIn")),
    vscode.commands.registerCommand("rjvm.reverseStepOut", step("rjvm/reverseStepOut")),
  );
}

function deactivate() {}

module.exports = { activate, deactivate };
