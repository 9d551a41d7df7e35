import { ChildProcess } from "node:child_process"
import { Server } from "node:net"

// What is a unit test: .ci/testFiles.ts. This finds those that start a Postgres, another process, a build, a browser or
// a server in a way that their imports do not tell.
const refuse = (what: string) => () => {
  throw new Error(`A unit test starts no ${what}. Import what does from its module, and this is an integration test.`)
}
Object.assign(ChildProcess.prototype, { spawn: refuse("process") })
Object.assign(Server.prototype, { listen: refuse("server") })
