import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/**
 * A unit test imports none of these, nor does a helper that it imports: no database, server, process, build or browser.
 */
const integrationModules =
  /^(@parley[/]testkit([/](databases|postgres|conformance))?|@parley[/](sqlite|postgres|host)|@parley[/]embed([/](?!testing).*)?|node:(http|https|net|child_process)|esbuild|smtp-server|hoodiecrow-imap|playwright-core|packages[/](sqlite|postgres|host|embed)[/]src[/].*)$/

const testFolders = [
  "docs/examples/test",
  ...["packages", "hosts", "docs/examples"].flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name, "test"))
  )
]
const files = testFolders
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)))

/** The modules that a file imports, but for types; those that it names by a relative path, by the path from here. */
const importsOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type )(?:[^"=(;]* from )?"([^"]+)"/gm)].map(
    ([, module = ""]) => (module.startsWith(".") ? join(dirname(file), module.replace(/[.]js$/, ".ts")) : module)
  )

const isIntegration = (file: string, seen = new Set<string>()): boolean => {
  seen.add(file)
  return importsOf(file).some(
    (module) =>
      integrationModules.test(module) ||
      (module.endsWith(".ts") &&
        !/[/]src[/]/.test(module) &&
        existsSync(module) &&
        !seen.has(module) &&
        isIntegration(module, seen))
  )
}

const tests = files.filter((file) => file.endsWith(".test.ts")).sort()

/** Tests that need a database, a server, another process, a build or a browser. */
export const integrationTests = tests.filter((file) => isIntegration(file))
/** Tests that need nothing but Node and run in memory. */
export const unitTests = tests.filter((file) => !integrationTests.includes(file))
