// Begin a season, enter an evening, correct it, and read standings and a player, by a client of generated types.
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

declare const process: { argv: string[] };
const [site, club, key] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl: site, headers: { Authorization: `Bearer ${key}` } });
const starts_at = "2026-01-13T19:30:00Z";
const entries = ["Ada", "Boris", "Cleo"].map((player) => ({ player }));

function got<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const season = got(
  await api.POST("/api/v1/clubs/{club_slug}/seasons/", {
    params: { path: { club_slug: club } },
    body: { name: "Generated", starts_on: "2026-01-01" },
  }),
);
const entered = got(
  await api.POST("/api/v1/seasons/{season_id}/events/", {
    params: { path: { season_id: season.id } },
    body: { starts_at, entries },
  }),
);
const path = { event_id: entered.id };
const body = { starts_at, entries: [...entries].reverse(), version: entered.version };
const corrected = got(await api.PUT("/api/v1/events/{event_id}/", { params: { path }, body }));
const stale = await api.PUT("/api/v1/events/{event_id}/", { params: { path }, body: { ...body, entries } });

// Points and ratings are computed by the worker, which the test is; it goes on when this line is read.
console.log(JSON.stringify({ pool: season.pool, names: corrected.entries.map((entry) => entry.player.name) }));
let standings;
do {
  await new Promise((resolve) => setTimeout(resolve, 200));
  standings = got(
    await api.GET("/api/v1/seasons/{season_id}/standings/", { params: { path: { season_id: season.id } } }),
  );
} while (standings.count === 0);
const [first] = standings.results;
const player = got(
  await api.GET("/api/v1/players/{player_id}/", { params: { path: { player_id: first.player.id } } }),
);
console.log(
  JSON.stringify({
    stale: stale.response.status,
    rows: standings.results.map((row) => [row.rank, row.player.name, row.points]),
    player: [player.name, player.ratings[0].badge === first.badge],
  }),
);
