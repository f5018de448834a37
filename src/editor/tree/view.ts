import * as vscode from "vscode";
import { Forest, type Handle } from "./forest.js";
import type { NodeIcon, TreeNode } from "./node.js";
import { FOLD } from "./test-rows.js";

const REFRESH_MS = 200;

/** A VS Code tree view over rows that are plain data. */
export class RowTree implements vscode.TreeDataProvider<Handle>, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<Handle | Handle[] | undefined>();
  readonly onDidChangeTreeData = this.emitter.event;
  private readonly forest: Forest;
  readonly view: vscode.TreeView<Handle>;
  private timer: NodeJS.Timeout | undefined;
  private refreshing = false;
  private again = false;

  constructor(id: string, build: () => readonly TreeNode[], canSelectMany = false) {
    this.forest = new Forest(build);
    this.view = vscode.window.createTreeView(id, {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany,
    });
  }

  /** Builds the rows anew soon; calls in between are one. */
  refresh(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.refreshNow();
    }, REFRESH_MS);
  }

  /** Builds the rows anew at once, for a caller that looks for one of them. */
  async update(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.refreshNow();
  }

  private async refreshNow(): Promise<void> {
    this.again = this.refreshing;
    if (this.refreshing) return;
    this.refreshing = true;
    const changed = await this.forest.refresh();
    if (changed === undefined) this.emitter.fire(undefined);
    else if (changed.length > 0) this.emitter.fire([...changed]);
    this.refreshing = false;
    if (this.again) await this.refreshNow();
  }

  /** The row with this id if a view has shown it. */
  find(id: string): Handle | undefined {
    return this.forest.find(id);
  }

  /**
   * Opens the tree down a path of row ids and selects the last of them.
   * @returns false when a row of the path is not there, for example because a filter hides it
   */
  async reveal(path: readonly string[], focus = false, expand = true): Promise<boolean> {
    let at: Handle | undefined;
    for (const id of path) {
      const next: Handle | undefined = await this.forest.child(
        at,
        id,
        ({ contextValue }) => contextValue === FOLD,
      );
      if (next === undefined) return false;
      at = next;
    }
    if (at !== undefined) await this.view.reveal(at, { select: true, focus, expand });
    return at !== undefined;
  }

  getTreeItem(handle: Handle): vscode.TreeItem {
    return toItem(handle);
  }

  async getChildren(handle?: Handle): Promise<Handle[]> {
    return [...(await this.forest.children(handle))];
  }

  getParent(handle: Handle): Handle | undefined {
    return handle.parent;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.view.dispose();
    this.emitter.dispose();
  }
}

const COLLAPSE = {
  leaf: vscode.TreeItemCollapsibleState.None,
  collapsed: vscode.TreeItemCollapsibleState.Collapsed,
  expanded: vscode.TreeItemCollapsibleState.Expanded,
} as const;

function toItem(handle: Handle): vscode.TreeItem {
  const row = handle.node;
  const item = new vscode.TreeItem(row.label, COLLAPSE[row.expand]);
  item.id = row.id;
  item.description = row.description;
  item.tooltip = row.tooltip === "" ? row.label : row.tooltip;
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.spoken };
  setIcon(item, row.icon);
  if (row.action !== undefined) {
    const { command, title, arguments: values } = row.action;
    const given = command === "vscode.open" ? values?.map(asUri) : values;
    item.command = { command, title, arguments: [...(given ?? [handle])] };
  }
  return item;
}

function setIcon(item: vscode.TreeItem, icon: NodeIcon): void {
  if (icon === undefined) return;
  if ("file" in icon) {
    item.resourceUri = vscode.Uri.file(icon.file);
    item.iconPath = vscode.ThemeIcon.File;
    return;
  }
  if ("light" in icon) {
    item.iconPath = { light: vscode.Uri.parse(icon.light, true), dark: vscode.Uri.parse(icon.dark, true) };
    return;
  }
  item.iconPath = new vscode.ThemeIcon(
    icon.codicon,
    icon.color === undefined ? undefined : new vscode.ThemeColor(icon.color),
  );
}

function asUri(value: unknown): unknown {
  return typeof value === "string" ? vscode.Uri.file(value) : value;
}
