// Checks the types of all sources and tests, and writes the declarations of the packages to .cache/types, by the paths
// of their sources. One program does both: to read and check core again for each package took most of a build.
import { rmSync } from "node:fs"
import ts from "typescript"

const outDir = ".cache/types"
const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => report([diagnostic]) }
const format = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: ts.sys.getCurrentDirectory,
  getNewLine: () => "\n"
}
const report = (diagnostics) => {
  const write = process.stdout.isTTY ? ts.formatDiagnosticsWithColorAndContext : ts.formatDiagnostics
  process.stdout.write(write(ts.sortAndDeduplicateDiagnostics(diagnostics), format))
  if (diagnostics.length > 0) process.exitCode = 1
}

const settings = { noEmit: false, emitDeclarationOnly: true, declaration: true, rootDir: ".", outDir }
const { errors, fileNames, options } = ts.getParsedCommandLineOfConfigFile("tsconfig.json", settings, host)
const program = ts.createProgram(fileNames, options)
// Not `getPreEmitDiagnostics`, which also makes the declarations of tests, to report their problems.
report([
  ...errors,
  ...program.getOptionsDiagnostics(),
  ...program.getSyntacticDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...program.getSemanticDiagnostics()
])

rmSync(outDir, { recursive: true, force: true })
const isPublished = /[/]packages[/](?!bench|simulation)[^/]+[/]src[/]/
for (const source of program.getSourceFiles()) {
  if (!source.isDeclarationFile && isPublished.test(source.fileName)) {
    report(program.emit(source, undefined, undefined, true).diagnostics)
  }
}
