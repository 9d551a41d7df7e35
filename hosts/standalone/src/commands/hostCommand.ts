import { Command } from "@effect/cli"
import { Effect } from "effect"
import type { hosts } from "../host/run.js"
import { described } from "./described.js"

/** A command that uses the database directly. Its module is loaded on demand, since other commands need no database. */
export const hostCommand = (name: string, host: keyof typeof hosts, description: string) =>
  Command.make(name, {}, () =>
    Effect.flatMap(
      Effect.promise(() => import("../host/run.js")),
      ({ hosts }) => hosts[host] as Effect.Effect<unknown, Error>
    )
  ).pipe(described(description))
