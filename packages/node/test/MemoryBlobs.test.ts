import { blobsContract } from "@parley/testkit"
import { Effect } from "effect"
import * as MemoryBlobs from "../src/MemoryBlobs.js"

blobsContract("in memory", Effect.sync(MemoryBlobs.make))
