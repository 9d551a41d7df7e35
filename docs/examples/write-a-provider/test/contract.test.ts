import { channelContract } from "@parley/testkit"
import { courierFixture } from "./courierFixture.js"

channelContract(courierFixture)
