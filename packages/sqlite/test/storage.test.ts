import { layer } from "@parley/sqlite"
import { storageContract } from "@parley/testkit"
import { Effect } from "effect"

storageContract("sqlite", Effect.succeed(layer({ file: ":memory:" })), { hosts: 1 })
