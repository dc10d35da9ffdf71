/* Memoarrr!'s base game at random, in plain C: the yardstick for the compiled rules.
 *
 * The same rules and the same stream of numbers, so every game ends as ours does; written for speed as one would in C, with sets of
 * cards and places as bits. It keeps only what play needs: not who has seen which card, which our record must.
 *
 *     cc -O3 -march=native -o memoarrr memoarrr.c
 *     ./memoarrr PLAYERS GAMES        prints moves, draws, seconds of processor time, and a checksum of all results
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CARDS = 25, CENTRE = 12, ROUNDS = 7, MOST_RUBIES = 4 };

static const int BIRDS[3] = {1, 3, 7};
static const int TREASURES[ROUNDS] = {1, 1, 2, 2, 2, 3, 4};
static const int MIDDLE[4][3] = {{1, 2, 3}, {9, 14, 19}, {21, 22, 23}, {5, 10, 15}};

typedef struct {
    uint32_t stream;
    int players, turn, last;
    uint32_t deck;     /* cards nobody has looked at */
    uint32_t down;     /* places with a card face down */
    uint32_t met;      /* volcanoes in this game, as far as known */
    uint32_t out;      /* players who hold a volcano */
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

/* One member of a set, each as likely. */
static int pick(Game *g, uint32_t set)
{
    for (uint32_t k = below(g, __builtin_popcount(set)); k > 0; k--)
        set &= set - 1;
    return __builtin_ctz(set);
}

static int draw(Game *g, uint32_t set)
{
    g->draws++;
    return pick(g, set);
}

static int choose(Game *g, uint32_t set)
{
    g->moves++;
    return pick(g, set);
}

static void look_at(Game *g, int place)
{
    if (g->card[place] < 0) {
        g->card[place] = draw(g, g->deck);
        g->deck &= ~(1u << g->card[place]);
    }
}

static void next_player(Game *g)
{
    do
        g->turn = g->turn + 1 < g->players ? g->turn + 1 : 0;
    while (g->out >> g->turn & 1);
}

static void choose_sides(Game *g)
{
    uint32_t sides = 15;
    for (int i = 0; i < g->players; i++) {
        int side = choose(g, sides);
        sides &= ~(1u << side);
        g->side[g->turn] = side;
        for (int j = 0; j < 3; j++)
            look_at(g, MIDDLE[side][j]);
        choose(g, 1); /* puts them back */
        next_player(g);
    }
}

/* The places whose card may not be the first of the game. */
static uint32_t looked_at(const Game *g)
{
    uint32_t set = 0;
    for (int i = 0; i < g->players; i++)
        for (int j = 0; j < 3; j++)
            set |= 1u << MIDDLE[g->side[i]][j];
    return set;
}

static int linked(int a, int b)
{
    return a / 5 == b / 5 || a % 5 == b % 5;
}

/* A volcano of this game that nobody holds; until all are known, one not met yet. */
static int lay_volcano(Game *g)
{
    uint32_t set = __builtin_popcount(g->met) == g->players - 1 ? g->met : 7 & ~g->met;
    for (int i = 0; i < g->players; i++)
        if (g->out >> i & 1)
            set &= ~(1u << g->volcano[i]);
    int volcano = draw(g, set);
    g->met |= 1u << volcano;
    return volcano;
}

/* Turns, until a player fails and takes the volcano. */
static void until_failure(Game *g, int round)
{
    int volcano = lay_volcano(g);
    for (;;) {
        if (g->down == 0) {
            choose(g, 1); /* nothing left to turn: takes the volcano */
            break;
        }
        int before = g->last;
        int place = choose(g, round == 0 && before < 0 ? g->down & ~looked_at(g) : g->down);
        look_at(g, place);
        g->down &= ~(1u << place);
        g->last = place;
        if (before >= 0 && !linked(g->card[place], g->card[before]))
            break;
        next_player(g);
    }
    g->volcano[g->turn] = volcano;
    g->out |= 1u << g->turn;
    next_player(g);
}

static void play_round(Game *g, int round)
{
    g->down = ((1u << CARDS) - 1) & ~(1u << CENTRE);
    g->last = -1;
    g->out = 0;
    for (int i = 0; i < g->players - 1; i++)
        until_failure(g, round);
    choose(g, 1); /* takes the treasure */
    g->owner[round] = g->turn;
    int most = 0;
    for (int i = 0; i < g->players; i++)
        if ((g->out >> i & 1) && BIRDS[g->volcano[i]] > most) {
            most = BIRDS[g->volcano[i]];
            g->turn = i;
        }
    g->out = 0;
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
    g->deck = (1u << CARDS) - 1;
    g->met = g->out = 0;
    for (int p = 0; p < CARDS; p++)
        g->card[p] = -1;
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
