import { readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Plugin, rollup } from "rollup"
import { dts } from "rollup-plugin-dts"
import ts from "typescript"

/**
 * Writes the types of the entries (sources by name) into the folder `out`, with all types of the other packages in
 * them. Fails if they name a package that users of this one do not have, such as Effect.
 */
export const writeTypes = async (entries: { readonly [name: string]: string }, out: string): Promise<void> => {
  const packages = readdirSync("..").map((name) => `@parley/${name}`)
  const bundle = await rollup({
    input: entries,
    external: (id) => /^(?!@parley\/)[@\w]/.test(id),
    plugins: [
      realPaths,
      // The built types of the other packages: `parley-source` would read all of their sources.
      dts({ includeExternal: packages, tsconfig: "tsconfig.json", compilerOptions: { customConditions: [] } })
    ]
  })
  const { output } = await bundle.write({
    dir: out,
    entryFileNames: "[name].d.cts",
    chunkFileNames: "[name]-[hash].d.cts",
    format: "es"
  })
  const files = output.map(({ fileName }) => join(out, fileName))
  for (const file of files) writeFileSync(file, withoutSchemas(file))
  const foreign = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/from '(?![./]|node:|@aws-sdk\/)([^']+)'/g)].map(
      (match) => `${file}: ${match[1]}`
    )
  )
  if (foreign.length > 0) throw new Error(`The types of this package import\n${foreign.join("\n")}`)
}

/** Each file once, although several packages link to it. */
const realPaths: Plugin = {
  name: "real-paths",
  async resolveId(id, importer, options) {
    const found = await this.resolve(id, importer, { ...options, skipSelf: true })
    return found === null || found.external ? found : realpathSync(found.id)
  }
}

/**
 * The text of a file of types, with types instead of schemas: `typeof Scope.Type` becomes the type that it stands for.
 */
const withoutSchemas = (file: string): string => {
  const program = ts.createProgram([file], { module: ts.ModuleKind.NodeNext, strict: true, skipLibCheck: true })
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
