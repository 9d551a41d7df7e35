import { channelContract } from "@parley/testkit"
import { fixture } from "./fixture.js"

channelContract(fixture)
