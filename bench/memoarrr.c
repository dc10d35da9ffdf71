/* Memoarrr!'s base game at random, in plain C: the yardstick for the compiled rules.
 *
 * The same rules and the same stream of numbers, so every game ends as ours does. It keeps only what play needs: not who has seen
 * which card, which our record must.
 *
 *     cc -O3 -march=native -o memoarrr memoarrr.c
 *     ./memoarrr PLAYERS GAMES        prints moves, draws, seconds of processor time, and a checksum of all results
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CARDS = 25, CENTRE = 12, ROUNDS = 7, MOST_RUBIES = 4 };

static const int BIRDS[3] = {1, 3, 7};
static const int TREASURES[ROUNDS] = {1, 1, 2, 2, 2, 3, 4};
static const int MIDDLE[4][3] = {{1, 2, 3}, {9, 14, 19}, {21, 22, 23}, {5, 10, 15}};

typedef struct {
    uint32_t stream;
    int players, turn, last;
    int down;           /* cards that lie face down */
    bool dealt[CARDS];  /* cards that somebody has looked at */
    bool up[CARDS];     /* places with a card face up; the centre has none */
    bool met[3];        /* volcanoes in this game, as far as known */
    int8_t card[CARDS], volcano[4], side[4];
    int8_t owner[ROUNDS], rubies[ROUNDS];
    uint64_t moves, draws;
} Game;

static void sow(Game *g, uint32_t key)
{
    uint32_t x = key + 1;
    x ^= x >> 16;
    x *= 0x85EBCA6Bu;
    x ^= x >> 13;
    x *= 0xC2B2AE35u;
    x ^= x >> 16;
    g->stream = x | 1;
}

static uint32_t below(Game *g, uint32_t n)
{
    uint32_t x = g->stream;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    g->stream = x;
    return (uint32_t)(((uint64_t)x * n) >> 32);
}

static int draw(Game *g, const int *list, int n)
{
    g->draws++;
    return list[below(g, n)];
}

static int choose(Game *g, const int *list, int n)
{
    g->moves++;
    return list[below(g, n)];
}

static void only_choice(Game *g)
{
    g->moves++;
    below(g, 1);
}

static int deal(Game *g)
{
    int list[CARDS], n = 0;
    for (int c = 0; c < CARDS; c++)
        if (!g->dealt[c])
            list[n++] = c;
    int card = draw(g, list, n);
    g->dealt[card] = true;
    return card;
}

static void look_at(Game *g, int place)
{
    if (g->card[place] < 0)
        g->card[place] = deal(g);
}

static void next_player(Game *g)
{
    do
        g->turn = g->turn + 1 < g->players ? g->turn + 1 : 0;
    while (g->volcano[g->turn] >= 0);
}

static void choose_sides(Game *g)
{
    bool taken[4] = {false};
    for (int i = 0; i < g->players; i++) {
        int list[4], n = 0;
        for (int side = 0; side < 4; side++)
            if (!taken[side])
                list[n++] = side;
        int side = choose(g, list, n);
        taken[side] = true;
        g->side[g->turn] = side;
        for (int j = 0; j < 3; j++)
            look_at(g, MIDDLE[side][j]);
        only_choice(g); /* puts them back */
        next_player(g);
    }
}

static int choose_place(Game *g, bool very_first)
{
    bool closed[CARDS];
    memcpy(closed, g->up, CARDS);
    if (very_first) /* not a card that somebody looked at */
        for (int i = 0; i < g->players; i++)
            for (int j = 0; j < 3; j++)
                closed[MIDDLE[g->side[i]][j]] = true;
    int list[CARDS], n = 0;
    for (int p = 0; p < CARDS; p++)
        if (!closed[p])
            list[n++] = p;
    return choose(g, list, n);
}

static int linked(int a, int b)
{
    return a / 5 == b / 5 || a % 5 == b % 5;
}

/* A volcano of this game that nobody holds; until all are known, one not met yet. */
static int lay_volcano(Game *g)
{
    int met = g->met[0] + g->met[1] + g->met[2];
    bool fits[3];
    for (int v = 0; v < 3; v++)
        fits[v] = met == g->players - 1 ? g->met[v] : !g->met[v];
    for (int i = 0; i < g->players; i++)
        if (g->volcano[i] >= 0)
            fits[g->volcano[i]] = false;
    int list[3], n = 0;
    for (int v = 0; v < 3; v++)
        if (fits[v])
            list[n++] = v;
    int volcano = draw(g, list, n);
    g->met[volcano] = true;
    return volcano;
}

/* Turns, until a player fails and takes the volcano. */
static void until_failure(Game *g, int round)
{
    int volcano = lay_volcano(g);
    for (;;) {
        if (g->down == 0) {
            only_choice(g); /* nothing left to turn: takes the volcano */
            break;
        }
        int before = g->last;
        int place = choose_place(g, round == 0 && before < 0);
        look_at(g, place);
        g->up[place] = true;
        g->down--;
        g->last = place;
        if (before >= 0 && !linked(g->card[place], g->card[before]))
            break;
        next_player(g);
    }
    g->volcano[g->turn] = volcano;
    next_player(g);
}

static void play_round(Game *g, int round)
{
    memset(g->up, 0, CARDS);
    g->up[CENTRE] = true;
    g->down = CARDS - 1;
    g->last = -1;
    for (int i = 0; i < g->players - 1; i++)
        until_failure(g, round);
    only_choice(g); /* takes the treasure */
    g->owner[round] = g->turn;
    int most = 0;
    for (int i = 0; i < g->players; i++) {
        if (g->volcano[i] >= 0 && BIRDS[g->volcano[i]] > most) {
            most = BIRDS[g->volcano[i]];
            g->turn = i;
        }
        g->volcano[i] = -1;
    }
}

static void open_treasures(Game *g)
{
    int left[MOST_RUBIES + 1] = {0};
    for (int k = 0; k < ROUNDS; k++)
        left[TREASURES[k]]++;
    for (int k = 0; k < ROUNDS; k++) {
        int n = below(g, ROUNDS - k), rubies = 0;
        while (n >= left[rubies])
            n -= left[rubies++];
        left[rubies]--;
        g->rubies[k] = rubies;
        g->draws++;
    }
}

static void play(Game *g, uint32_t key)
{
    sow(g, key);
    memset(g->dealt, 0, sizeof g->dealt);
    memset(g->met, 0, sizeof g->met);
    memset(g->card, -1, sizeof g->card);
    memset(g->volcano, -1, sizeof g->volcano);
    g->turn = below(g, g->players);
    g->draws++;
    choose_sides(g);
    for (int round = 0; round < ROUNDS; round++)
        play_round(g, round);
    open_treasures(g);
}

/* FNV-1a over the owners of the treasures, their rubies, and the island. */
static uint64_t add_up(uint64_t sum, const int8_t *bytes, int n)
{
    for (int i = 0; i < n; i++)
        sum = (sum ^ (uint8_t)bytes[i]) * 0x100000001B3u;
    return sum;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "memoarrr PLAYERS GAMES\n");
        return 2;
    }
    Game g = {.players = atoi(argv[1])};
    uint32_t games = strtoul(argv[2], NULL, 10);
    Game *results = malloc(games * sizeof *results);
    for (uint32_t i = 0; i < games; i++) /* touch the memory before the clock runs, as the other side does */
        results[i] = g;
    clock_t start = clock();
    for (uint32_t key = 0; key < games; key++) {
        play(&g, key);
        results[key] = g;
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    uint64_t sum = 0xCBF29CE484222325u;
    for (uint32_t i = 0; i < games; i++) {
        sum = add_up(sum, results[i].owner, ROUNDS);
        sum = add_up(sum, results[i].rubies, ROUNDS);
        sum = add_up(sum, results[i].card, CARDS);
    }
    printf("%llu %llu %.6f %016llx\n", (unsigned long long)g.moves, (unsigned long long)g.draws, seconds, (unsigned long long)sum);
    free(results);
    return 0;
}
