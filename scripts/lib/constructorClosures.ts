/** Counts the functions that a class writes down to build itself: each is a wire to another object that nobody can name. */
import ts from 'typescript';

export interface ClassClosures {
  readonly name: string;
  /** In the constructor, in the values of its fields, and in the methods that these call. */
  readonly closures: number;
}

export function constructorClosures(fileName: string, text: string): readonly ClassClosures[] {
  const found: ClassClosures[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node)) found.push({ name: node.name?.text ?? 'class', closures: closuresOf(node) });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true));
  return found;
}

function closuresOf(node: ts.ClassLikeDeclaration): number {
  const methods = new Map<string, ts.Node>();
  for (const member of node.members) {
    if (ts.isMethodDeclaration(member) && member.body) methods.set(member.name.getText(), member.body);
  }
  let closures = 0;
  const count = (at: ts.Node): void => {
    if (isClosure(at)) {
      closures += 1;
      // It runs later: what it calls is no part of the building.
      return;
    }
    if (ts.isPropertyAccessExpression(at) && at.expression.kind === ts.SyntaxKind.ThisKeyword) {
      const called = methods.get(at.name.text);
      methods.delete(at.name.text);
      if (called) count(called);
    }
    ts.forEachChild(at, count);
  };
  for (const member of node.members) {
    if (ts.isConstructorDeclaration(member) && member.body) count(member.body);
    // A field whose value is a function is a method in other clothes.
    if (ts.isPropertyDeclaration(member) && member.initializer && !isClosure(member.initializer)) {
      count(member.initializer);
    }
  }
  return closures;
}

function isClosure(node: ts.Node): boolean {
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return true;
  const isMember = ts.isMethodDeclaration(node) || ts.isAccessor(node);
  return isMember && ts.isObjectLiteralExpression(node.parent);
}
