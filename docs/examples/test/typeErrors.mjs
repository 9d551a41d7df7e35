// Prints the type errors of a TypeScript project as JSON, and emits it as its configuration says: `node typeErrors.mjs
// CONFIG`. Declarations of other libraries are used, not checked: their types need further packages, and to check them
// takes longer than all else.
import { resolve } from "node:path"
import ts from "typescript"

const config = resolve(process.argv[2])
const { config: json } = ts.readConfigFile(config, ts.sys.readFile)
const { errors, fileNames, options } = ts.parseJsonConfigFileContent(json, ts.sys, resolve(config, ".."))
const program = ts.createProgram(fileNames, options)
const ofOthers = /[/]node_modules[/](?!.*[/]node_modules[/]@parley[/])/
const isOurs = ({ fileName }) =>
  !ofOthers.test(fileName) && !program.isSourceFileDefaultLibrary(program.getSourceFile(fileName))
const found = [
  ...errors,
  ...program.getOptionsDiagnostics(),
  ...program
    .getSourceFiles()
    .filter(isOurs)
    .flatMap((file) => ts.getPreEmitDiagnostics(program, file)),
  ...program.emit().diagnostics
]
const host = {
  getCurrentDirectory: () => resolve(config, ".."),
  getCanonicalFileName: (name) => name,
  getNewLine: () => "\n"
}
const texts = ts.sortAndDeduplicateDiagnostics(found).map((one) => ts.formatDiagnostic(one, host).trim())
process.stdout.write(JSON.stringify(texts))
