// Tries a release, and changes nothing: the next versions with their changelogs in a clone of the last commit, and what
// npm would publish of each tarball of `npm run build`. `npm run release -- --publish` publishes the tarballs, in a
// clean checkout whose changes are versioned (docs/contributing.md#release).
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"

const isPublishing = process.argv.includes("--publish")

const fail = (message) => {
  console.error(message)
  process.exit(1)
}
const run = (command, args, cwd = ".") =>
  promisify(execFile)(command, args, { cwd, maxBuffer: 2 ** 26 }).catch(({ message, stdout, stderr }) =>
    fail(`${message} (${cwd})\n${stdout}${stderr}`)
  )

const publishedIn = (root) =>
  ["packages", "hosts"]
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true)

/** Writes the next versions and changelogs into a clone. */
const tryVersions = async () => {
  // Changelogs name the commits of their entries, for which changesets would fetch for ever here.
  const { stdout: isShallow } = await run("git", ["rev-parse", "--is-shallow-repository"])
  if (isShallow.trim() === "true") return console.log("This clone is shallow: the next versions are not tried.")
  const clone = mkdtempSync(join(tmpdir(), "parley-release-"))
  try {
    await run("git", ["clone", "--quiet", "--no-hardlinks", "--shared", resolve("."), clone])
    symlinkSync(resolve("node_modules"), join(clone, "node_modules"))
    await run(resolve("node_modules/.bin/changeset"), ["version"], clone)
    const packages = publishedIn(clone)
    const versions = new Set(packages.map(({ manifest }) => manifest.version))
    if (versions.size !== 1) fail(`The packages would have the versions ${[...versions].join(", ")}`)
    const [version] = versions
    for (const { folder, manifest } of packages) {
      const changelog = join(folder, "CHANGELOG.md")
      if (!existsSync(changelog) || !readFileSync(changelog, "utf8").includes(`## ${version}\n`)) {
        fail(`${manifest.name} would have no changelog of ${version}`)
      }
    }
    console.log(`The next version is ${version}, of ${packages.length} packages with changelogs.`)
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
}

const refuseUnversioned = async () => {
  const { stdout: changes } = await run("git", ["status", "--porcelain"])
  if (changes !== "") fail(`There are changes that are not committed:\n${changes}`)
  const waiting = readdirSync(".changeset").filter((name) => name.endsWith(".md"))
  if (waiting.length > 0) fail("Run `npx changeset version` first, and commit: there are changes without a version")
}

/** Publishes the tarballs, or has npm say what it would publish. */
const publish = async () => {
  const expected = publishedIn(".").map(({ folder }) => `${folder.split("/").at(-1)}.tgz`)
  const missing = expected.filter((name) => !existsSync(join("tarballs", name)))
  if (missing.length > 0) fail(`Run npm run build first: there is no ${missing.join(", ")}`)
  const waiting = [...expected]
  const publishInTurn = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      // With `./` it is a file, otherwise a repository of GitHub.
      await run("npm", [
        "publish",
        `./tarballs/${name}`,
        "--access",
        "public",
        "--loglevel=error",
        ...(isPublishing ? [] : ["--dry-run"])
      ])
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, publishInTurn))
  console.log(`npm ${isPublishing ? "has published" : "would publish"} ${expected.length} packages.`)
}

await (isPublishing ? refuseUnversioned() : tryVersions())
await publish()
