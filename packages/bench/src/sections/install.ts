import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { median } from "../measuring/compare.js"
import { singleRow, type TableRow } from "../measuring/table.js"
import { buildHost } from "../world/standalone.js"
import type { Bench } from "./Bench.js"

/** What is installed and imported: Parley as it would be published, and libraries that run in a service like it. */
const libraries = [
  { name: "@parley/embed", from: `file:${resolve("tarballs/embed.tgz")}` },
  { name: "better-auth", from: "1.7.25" },
  { name: "bullmq", from: "6.7.0" },
  { name: "graphile-worker", from: "0.18.0" }
]

/** The program measures itself: its own start is measured by an empty one. */
const ownCpu = "const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)"

const milliseconds = (values: ReadonlyArray<number>) =>
  `${Math.round(median(values))} ms (${Math.round(Math.min(...values))}–${Math.round(Math.max(...values))})`

/** Size in bytes of the files below a folder, without native code. */
const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true, encoding: "utf8" })
    .filter((file) => file.isFile() && !file.name.endsWith(".node"))
    .reduce((size, { name, parentPath }) => size + statSync(join(parentPath, name)).size, 0)

/** What a library costs to install and to import, and its types to check. */
export const installSection = async ({ progress, rounds }: Bench): Promise<ReadonlyArray<TableRow>> => {
  if (!existsSync("tarballs/embed.tgz")) throw new Error("tarballs/embed.tgz is missing: run npm run build first")
  const home = mkdtempSync(join(tmpdir(), "parley-install-"))
  const run = (folder: string, command: string, ...args: ReadonlyArray<string>) =>
    execFileSync(command, args, {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, NODE_PATH: "", NODE_OPTIONS: "" }
    })
  try {
    const rows = libraries.map(({ from, name }) => {
      progress(`install, ${name}`)
      const folder = join(home, name)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: { [name]: from } }))
      run(folder, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
      const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"))
      writeFileSync(join(folder, "empty.mjs"), ownCpu)
      writeFileSync(join(folder, "main.mjs"), `import "${name}"\n${ownCpu}`)
      return {
        name,
        folder,
        count: Object.keys(packages).length - 1,
        bytes: sizeOf(join(folder, "node_modules")),
        cpu: [] as Array<number>,
        empty: [] as Array<number>
      }
    })
    progress("install: imports, in turn")
    for (let round = 0; round < Math.max(rounds, 3); round++) {
      for (const { cpu, empty, folder } of rows) {
        empty.push(Number(run(folder, "node", "empty.mjs")))
        cpu.push(Number(run(folder, "node", "main.mjs")))
      }
    }
    return [
      ...rows.map(({ bytes, count, cpu, empty, name }) =>
        singleRow(
          `Install: \`${name}\``,
          `${count} packages, ${(bytes / 1e6).toFixed(1)} MB; import ${milliseconds(cpu)} CPU, an empty program ${milliseconds(empty)}`
        )
      ),
      ...typesRow(join(home, "@parley/embed"), run, rounds),
      helpRow(home, run, rounds)
    ]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

type Run = (folder: string, command: string, ...args: ReadonlyArray<string>) => string

/** `parley --help`, against an empty program. Both report their CPU time when they end. */
const helpRow = (folder: string, run: Run, rounds: number): TableRow => {
  buildHost()
  const command = resolve("hosts/standalone/dist/main.js")
  const reporting = `--import=data:text/javascript,${encodeURIComponent(`process.on("exit", () => { ${ownCpu} })`)}`
  const cpuOf = (...program: ReadonlyArray<string>) =>
    Number(
      run(folder, "node", reporting, ...program)
        .trimEnd()
        .split("\n")
        .at(-1)
    )
  writeFileSync(join(folder, "empty.mjs"), "")
  const cpu = { help: [] as Array<number>, empty: [] as Array<number> }
  for (let round = 0; round < Math.max(rounds, 3); round++) {
    cpu.empty.push(cpuOf("empty.mjs"))
    cpu.help.push(cpuOf(command, "--help"))
  }
  return [
    "Install: CPU of `parley --help`",
    milliseconds(cpu.help),
    `${milliseconds(cpu.empty)} for an empty program`,
    `**${(median(cpu.help) / median(cpu.empty)).toFixed(2)}×**`
  ]
}

/** `tsc` on a file that imports the types, against one that does not. */
const typesRow = (folder: string, run: Run, rounds: number): ReadonlyArray<TableRow> => {
  const tsc = resolve("node_modules/typescript/bin/tsc")
  writeFileSync(
    join(folder, "imports.mts"),
    'import type { Parley } from "@parley/embed"\nexport type Sends = Parley["as"]\n'
  )
  writeFileSync(join(folder, "empty.mts"), "export {}\n")
  const check = (file: string) => {
    const options = ["--noEmit", "--strict", "--skipLibCheck", "false", "--module", "node16", "--target", "es2022"]
    const types = ["--types", "node", "--typeRoots", resolve("node_modules/@types"), "--extendedDiagnostics"]
    const output = run(folder, "node", tsc, ...options, ...types, file)
    return Number(/Total time:\s+([\d.]+)s/.exec(output)?.[1]) * 1_000
  }
  const times = { imports: [] as Array<number>, empty: [] as Array<number> }
  for (let round = 0; round < Math.max(rounds, 3); round++) {
    times.empty.push(check("empty.mts"))
    times.imports.push(check("imports.mts"))
  }
  const ratio = median(times.imports) / median(times.empty)
  return [
    [
      "Install: `tsc` on a file that imports `@parley/embed`",
      milliseconds(times.imports),
      `${milliseconds(times.empty)} for an empty file`,
      `**${ratio.toFixed(2)}×**`
    ]
  ]
}
