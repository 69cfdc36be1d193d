import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Entities with relations: schema, inserts, HQL with joins and groups, lazy loading, a transaction that is rolled back. */
public class Orm {
    @Entity(name = "Author")
    public static class Author {
        @Id
        @GeneratedValue
        long id;
        String name;
        @OneToMany(mappedBy = "author", cascade = CascadeType.ALL)
        List<Book> books = new ArrayList<>();
    }

    @Entity(name = "Book")
    public static class Book {
        @Id
        @GeneratedValue
        long id;
        String title;
        int pages;
        @ManyToOne
        Author author;
    }

    public static void main(String[] args) {
        java.util.logging.LogManager.getLogManager().reset();
        Configuration configuration = new Configuration().addAnnotatedClass(Author.class).addAnnotatedClass(Book.class)
            .setProperty("hibernate.connection.url", "jdbc:h2:mem:test").setProperty("hibernate.hbm2ddl.auto", "create");
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            factory.inTransaction(session -> {
                for (int a = 0; a < 5; a++) {
                    Author author = new Author();
                    author.name = "author " + a;
                    for (int b = 0; b <= a; b++) {
                        Book book = new Book();
                        book.title = "book " + a + "." + b;
                        book.pages = 100 * a + b;
                        book.author = author;
                        author.books.add(book);
                    }
                    session.persist(author);
                }
            });
            factory.inTransaction(session -> {
                session.createQuery("select a.name, count(b), sum(b.pages) from Author a join a.books b group by a.name order by a.name", Object[].class)
                    .list().forEach(row -> System.out.println(row[0] + " " + row[1] + " " + row[2]));
                Book book = session.createQuery("from Book where title = :t", Book.class).setParameter("t", "book 3.2").getSingleResult();
                System.out.println(book.author.name + " " + book.author.books.size());
                book.pages = 7;
            });
            try {
                factory.inTransaction(session -> {
                    session.createMutationQuery("delete from Book").executeUpdate();
                    throw new IllegalStateException("rolled back");
                });
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
            factory.inSession(session -> System.out.println(
                session.createQuery("select count(b), min(b.pages), max(b.pages) from Book b", Object[].class).getSingleResult()[1]));
        }
    }
}
