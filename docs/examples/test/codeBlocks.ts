import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** Pages whose blocks are excerpts of files of this repository, which their own tests compare with these. */
const excerpts = ["write-a-provider.md"]
/** Pages whose blocks continue each other. */
const programs = ["client.md"]

/**
 * Writes the TypeScript of the documentation to a folder, each block as a module, at the line that it has on its page,
 * so that errors name lines of pages. A block that begins with a comment `// <path>` is that file, and one that begins
 * with `<name>:` is a part of the options of `createParley`. Returns the files.
 */
export const writeCodeBlocks = (documentation: string, folder: string): ReadonlyArray<string> =>
  pagesOf(documentation)
    .filter((page) => !excerpts.includes(page))
    .flatMap((page) => {
      const blocks = blocksOf(readFileSync(join(documentation, page), "utf8"))
      const modules = programs.includes(page) ? [joined(blocks)] : blocks
      return modules.map(({ code, line }) => {
        const name = /^[/][/] (\S+[.]ts)\n/.exec(code)?.[1] ?? `${line}.ts`
        const file = join(folder, page.replace(/[.]md$/, ""), name)
        const before = /^\w+: /.test(code) ? "export const part: Partial<ParleyOptions> = {" : ""
        const after = before === "" ? "export {}" : "}"
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, `${"\n".repeat(line - 2)}${before}\n${code}${after}\n`)
        return file
      })
    })

/** The pages in the folder and in those below it, but not in deeper ones: the examples have packages. */
const pagesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() ? readdirSync(join(folder, entry.name)).map((name) => join(entry.name, name)) : [entry.name]
    )
    .filter((name) => name.endsWith(".md"))

/** The code of a block, and the line of the page on which it begins. */
interface Block {
  readonly code: string
  readonly line: number
}

const blocksOf = (page: string): ReadonlyArray<Block> =>
  [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(({ 1: code = "", index }) => ({
    code,
    line: linesOf(page.slice(0, index)) + 1
  }))

const linesOf = (text: string): number => text.split("\n").length

const joined = ([first = { code: "", line: 2 }, ...others]: ReadonlyArray<Block>): Block => ({
  code: others.reduce(
    (code, block) => `${code}${"\n".repeat(block.line - first.line - linesOf(code) + 1)}${block.code}`,
    first.code
  ),
  line: first.line
})
