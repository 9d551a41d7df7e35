import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { type Plugin, rollup } from "rollup"
import { dts } from "rollup-plugin-dts"
import ts from "typescript"

/** The declarations of all packages, which `.ci/types.mjs` wrote, in the folders of their sources. */
const declarations = resolve("../../.cache/types/packages")

/** The declarations of a source of a package. */
const declarationsOf = (name: string, source: string) => join(declarations, name, source.replace(/[.]ts$/, ".d.ts"))

/**
 * Writes the types of the entries (sources by name) into the folder `out`, with all types of the other packages in
 * them. Fails if they name a package that users of this one do not have, such as Effect.
 */
export const writeTypes = async (entries: { readonly [name: string]: string }, out: string): Promise<void> => {
  const bundle = await rollup({
    input: Object.fromEntries(Object.entries(entries).map(([name, source]) => [name, declarationsOf("embed", source)])),
    external: (id) => /^(?!@parley\/)[@\w]/.test(id),
    plugins: [otherPackages, dts({ tsconfig: "tsconfig.json" })]
  })
  const { output } = await bundle.write({
    dir: out,
    entryFileNames: "[name].d.cts",
    chunkFileNames: "[name]-[hash].d.cts",
    format: "es"
  })
  const files = output.map(({ fileName }) => join(out, fileName))
  withoutSchemas(files)
  const foreign = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/from '(?![./]|node:|@aws-sdk\/)([^']+)'/g)].map(
      (match) => `${file}: ${match[1]}`
    )
  )
  if (foreign.length > 0) throw new Error(`The types of this package import\n${foreign.join("\n")}`)
}

/** Finds the declarations of the other packages by the sources of their exports. */
const otherPackages: Plugin = {
  name: "other-packages",
  resolveId(id) {
    const [, name, entry] = /^@parley\/([^/]+)(.*)$/.exec(id) ?? []
    if (name === undefined) return null
    const { exports } = JSON.parse(readFileSync(join("..", name, "package.json"), "utf8"))
    return declarationsOf(name, exports[`.${entry}`]["parley-source"])
  }
}

/** Writes types instead of schemas into the files: `typeof Scope.Type` becomes the type that it stands for. */
const withoutSchemas = (files: ReadonlyArray<string>): void => {
  const program = ts.createProgram(files, { module: ts.ModuleKind.NodeNext, strict: true, skipLibCheck: true })
  const texts = files.map((file) => [file, textWithoutSchemas(program, file)] as const)
  for (const [file, text] of texts) writeFileSync(file, text)
}

const textWithoutSchemas = (program: ts.Program, file: string): string => {
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  if (source === undefined) throw new Error(`${file} cannot be read`)
  const edits: Array<{ readonly from: number; readonly to: number; readonly text: string }> = []
  for (const statement of source.statements) {
    if (ts.isTypeAliasDeclaration(statement) && /^typeof \w+\.Type$/.test(statement.type.getText(source))) {
      const type = checker.getTypeFromTypeNode(statement.type)
      const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias
      edits.push({
        from: statement.type.getStart(source),
        to: statement.type.end,
        text: checker.typeToString(type, statement, flags)
      })
    }
    const declares = ts.isVariableStatement(statement) && / Schema\.|effect_/.test(statement.getText(source))
    const imports = ts.isImportDeclaration(statement) && /from 'effect/.test(statement.getText(source))
    if (declares || imports) edits.push({ from: statement.getFullStart(), to: statement.end, text: "" })
  }
  return edits.reduceRight((text, { from, text: edit, to }) => text.slice(0, from) + edit + text.slice(to), source.text)
}
