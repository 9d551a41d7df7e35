import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Effect, type Scope } from "effect"
import Pg from "pg"

// .ci/debianTools.mjs brings it here.
const folder = resolve("node_modules/.cache/pgbouncer")
const libraries = ["x86_64", "aarch64"].map((machine) => join(folder, `usr/lib/${machine}-linux-gnu`)).join(":")
const environment = { ...process.env, LD_LIBRARY_PATH: libraries }
const command = ["/usr/sbin/pgbouncer", join(folder, "usr/sbin/pgbouncer")].find(existsSync) ?? "pgbouncer"

/** Why tests with PgBouncer are skipped; empty if they are not. */
export const pgbouncerMissing =
  spawnSync(command, ["--version"], { env: environment }).status === 0
    ? ""
    : " (skipped: install pgbouncer, such as with apt-get install pgbouncer)"

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer().once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

interface Running {
  readonly port: number
  readonly stop: () => Promise<void>
}

/** Another program may take the port before PgBouncer, which ends then. */
const maxTries = 5

const start = async (server: string, mode: "session" | "transaction", tries = 1): Promise<Running> => {
  const home = await mkdtemp(join(tmpdir(), "parley-pgbouncer-"))
  await chmod(home, 0o755)
  const { hostname, password, port, username } = new URL(server)
  const own = await freePort()
  await writeFile(join(home, "users"), `"${username}" "${password}"\n`)
  await writeFile(
    join(home, "pgbouncer.ini"),
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = plain
auth_file = ${join(home, "users")}
pool_mode = ${mode}
default_pool_size = 30
`
  )
  const asRoot = process.getuid?.() === 0 ? ["-u", "nobody"] : []
  const child = spawn(command, [...asRoot, join(home, "pgbouncer.ini")], { env: environment, stdio: "ignore" })
  const url = new URL(server)
  url.port = `${own}`
  const isUp = async () => {
    const client = new Pg.Client({ connectionString: url.href })
    client.on("error", () => {})
    try {
      await client.connect()
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, "exit")
      child.kill("SIGKILL")
      await exit
    }
    await rm(home, { recursive: true, force: true })
  }
  while (child.exitCode === null && !(await isUp())) await new Promise((resolve) => setTimeout(resolve, 20))
  if (child.exitCode === null) return { port: own, stop }
  await stop()
  if (tries === maxTries) throw new Error(`pgbouncer ended with ${child.exitCode}`)
  return start(server, mode, tries + 1)
}

/** Starts PgBouncer in front of a server. Returns the URL of a database of the server through it. */
export const pgbouncer = (
  server: string,
  mode: "session" | "transaction"
): Effect.Effect<(database: string) => string, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => start(server, mode)),
      ({ stop }) => Effect.promise(stop)
    ),
    ({ port }) =>
      (database) => {
        const url = new URL(database)
        url.port = `${port}`
        return url.href
      }
  )
