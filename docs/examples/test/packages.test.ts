import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const read = (...path: ReadonlyArray<string>) => readFileSync(join(root, ...path), "utf8")

const published = ["packages", "hosts"]
  .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))
  .map((folder) => ({ folder, manifest: JSON.parse(read(folder, "package.json")) }))
  .filter(({ manifest }) => manifest.private !== true)

const repository = "https://github.com/parley-engine/parley"

describe.each(published.map(({ folder, manifest }) => [manifest.name, folder, manifest]))(
  "%s",
  (name, folder, manifest) => {
    it("says in its manifest what it is and where it comes from", () => {
      expect(manifest).toMatchObject({
        description: expect.stringMatching(/^[A-Z].*\.$/),
        homepage: `${repository}/tree/main/${folder}#readme`,
        repository: { type: "git", url: `git+${repository}.git`, directory: folder },
        license: "MIT",
        engines: { node: ">=20.19" },
        publishConfig: { access: "public" }
      })
      expect(manifest.keywords.length).toBeGreaterThan(3)
      expect(new Set(manifest.keywords).size).toBe(manifest.keywords.length)
      // npm adds the README and the license by itself.
      expect(manifest.files).toContain("CHANGELOG.md")
      expect(existsSync(join(root, folder, "LICENSE"))).toBe(true)
    })

    it("has a page with a first example, and links that lead somewhere", () => {
      const page = read(folder, "README.md")
      expect(page.startsWith(`# ${name}\n`)).toBe(true)
      expect(page).toMatch(/^```sh\n.*npm install|^```sh\nnpx/m)
      const links = [...page.matchAll(/\]\((https:[^)#]+)/g)].map(([, link = ""]) => link)
      const ours = links
        .filter((link) => link.startsWith(repository))
        .map((link) => link.replace(`${repository}/blob/main/`, ""))
      expect(ours.length).toBeGreaterThan(1)
      expect(ours.filter((file) => !existsSync(join(root, file)))).toEqual([])
    })
  }
)

it("packages have one version, and are released together", () => {
  expect(new Set(published.map(({ manifest }) => manifest.version)).size).toBe(1)
  const { fixed } = JSON.parse(read(".changeset/config.json"))
  const isFixed = (name: string) =>
    fixed[0].some((one: string) => one === name || (one === "@parley/*" && name.startsWith("@parley/")))
  expect(published.map(({ manifest }) => manifest.name).filter((name) => !isFixed(name))).toEqual([])
})
