package com.example;

/** Two clerks sell the last ticket: {@code mvn rjvm:explore -Drjvm.mainClass=com.example.Tickets} finds the order in which both do. */
public class Tickets {
    private int free = 1;

    void sell() {
        if (free > 0) {
            free--;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Tickets tickets = new Tickets();
        Thread anna = new Thread(tickets::sell, "anna");
        Thread bert = new Thread(tickets::sell, "bert");
        anna.start();
        bert.start();
        anna.join();
        bert.join();
        if (tickets.free < 0) {
            throw new IllegalStateException(tickets.free + " tickets are left");
        }
        System.out.println("sold out");
    }
}
